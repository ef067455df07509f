package dev.millrace.mutants.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.mutants.result.Mutant;
import dev.millrace.mutants.result.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KnownResultsTest {

  private static final Mutant ONE = new Mutant("Keys", "FIND", "limit dropped", "limit 1");

  @TempDir Path folder;

  private static final Result NOTICED = new Result(ONE, Result.Verdict.KILLED, "KeysPgTest.a_law");
  private static final Result ALIVE = new Result(ONE, Result.Verdict.SURVIVED, "2 of 2");

  @Test
  void an_interrupted_run_is_remembered() throws IOException {
    new KnownResults(file()).add(NOTICED, Set.of("m1"));
    assertThat(new KnownResults(file()).find(ONE, Set.of("m1", "m2")))
        .contains(new KnownResults.Entry(NOTICED, Set.of("m1")));
    assertThat(
            new KnownResults(file())
                .find(new Mutant("Keys", "ALL", "limit dropped", "limit 1"), Set.of("m1")))
        .isEmpty();
  }

  @Test
  void what_a_test_noticed_that_has_changed_is_unknown() throws IOException {
    new KnownResults(file()).add(NOTICED, Set.of("m1"));
    assertThat(new KnownResults(file()).find(ONE, Set.of("m2"))).isEmpty();
  }

  @Test
  void whom_a_survivor_escaped_is_remembered_as_long_as_they_are_as_they_were() throws IOException {
    new KnownResults(file()).add(ALIVE, Set.of("m1", "m2"));
    assertThat(new KnownResults(file()).find(ONE, Set.of("m2", "m3")))
        .contains(new KnownResults.Entry(ALIVE, Set.of("m2")));
  }

  @Test
  void what_is_no_mutant_stays_none() throws IOException {
    new KnownResults(file()).addNoMutant(ONE);
    assertThat(new KnownResults(file()).isNoMutant(ONE)).isTrue();
    assertThat(new KnownResults(file()).find(ONE, Set.of("m1"))).isEmpty();
  }

  private Path file() {
    return folder.resolve("known.txt");
  }
}
