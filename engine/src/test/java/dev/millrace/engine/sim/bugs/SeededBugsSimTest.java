package dev.millrace.engine.sim.bugs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.sim.Bug;
import dev.millrace.engine.sim.Simulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulation itself is tested: it must notice every bug of the collection. */
class SeededBugsSimTest {

  static List<Planted> bugs() {
    return Planted.all();
  }

  @ParameterizedTest
  @MethodSource("bugs")
  void a_seeded_bug_is_caught_within_a_thousand_seeds(Planted bug) {
    assertThat(caught()).extracting(Hunt.Caught::bug).contains(bug);
  }

  @Test
  void there_are_enough_bugs_and_no_two_are_called_the_same() {
    assertThat(bugs())
        .hasSizeGreaterThanOrEqualTo(45)
        .extracting(Planted::name)
        .doesNotHaveDuplicates();
  }

  @Test
  void without_a_bug_the_same_seeds_find_nothing() {
    for (int seed = 1; seed <= Hunt.MOST_SEEDS; seed++) {
      Simulation.inMemory(seed, Bug.NONE).mustBeFine();
    }
  }

  @Test
  void a_failure_names_its_seed_and_replays_exactly() {
    Hunt.Caught caught = caught().getFirst();
    Simulation.Outcome first = Simulation.inMemory(caught.seeds(), caught.bug().bug().get());
    Simulation.Outcome again = Simulation.inMemory(caught.seeds(), caught.bug().bug().get());
    assertThat(first.story())
        .contains(caught.law(), "seed " + caught.seeds(), first.hash(), "-Dmillrace.sim.seed=")
        .isEqualTo(again.story());
  }

  @Test
  void the_page_lists_the_bugs_and_the_seeds_it_took() throws IOException {
    Path page = root().resolve("docs/simulation.md");
    String text = SimulationPage.render(caught(), Files.readString(page));
    if (Boolean.getBoolean("millrace.regenerate")) {
      Files.writeString(page, text);
    }
    assertThat(page)
        .as("docs/simulation.md is stale; run this test with -Dmillrace.regenerate=true")
        .content()
        .isEqualTo(text);
  }

  private static List<Hunt.Caught> caught() {
    return Hunt.all().stream().flatMap(Optional::stream).toList();
  }

  private static Path root() {
    Path dir = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(dir.resolve(".mvn"))) {
      dir = dir.getParent();
      assertThat(dir).as("the root of the repository").isNotNull();
    }
    return dir;
  }
}
