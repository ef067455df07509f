package dev.millrace.mutants.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.mutants.result.Mutant;
import dev.millrace.mutants.result.Result;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KnownResultsTest {

  private static final Mutant ONE = new Mutant("Keys", "FIND", "limit dropped", "limit 1");

  @TempDir Path folder;

  @Test
  void an_interrupted_run_is_remembered() throws IOException {
    Path file = folder.resolve("known.txt");
    Result result = new Result(ONE, Result.Fate.KILLED, "KeysPgTest.a_law");
    new KnownResults(file).add(result);
    assertThat(new KnownResults(file).find(ONE)).contains(result);
    assertThat(new KnownResults(file).find(new Mutant("Keys", "ALL", "limit dropped", "limit 1")))
        .isEmpty();
  }
}
