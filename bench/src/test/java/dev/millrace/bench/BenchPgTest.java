package dev.millrace.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bench.load.Sizes;
import dev.millrace.bench.measure.Measurement;
import dev.millrace.bench.measure.Sheet;
import dev.millrace.bench.place.Site;
import dev.millrace.bench.scenario.BatchedEngine;
import dev.millrace.bench.scenario.Flood;
import dev.millrace.bench.scenario.Floor;
import dev.millrace.bench.scenario.HotWallet;
import dev.millrace.bench.scenario.LongHistory;
import dev.millrace.bench.scenario.Scenario;
import dev.millrace.bench.scenario.UnbatchedEngine;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every scenario that needs no server runs, in sizes that prove nothing but that. */
class BenchPgTest {

  @TempDir static Path folder;

  @SuppressWarnings("NullAway.Init")
  private static Site site;

  @BeforeAll
  static void start_a_database() {
    site = Site.open(folder.resolve("data"), _ -> {});
  }

  @AfterAll
  static void stop_the_database() {
    site.close();
  }

  static Stream<Scenario> engineScenarios() {
    return Stream.of(
        new BatchedEngine(),
        new UnbatchedEngine(),
        new LongHistory(),
        new HotWallet(),
        new Flood(),
        new Floor());
  }

  @ParameterizedTest
  @MethodSource("engineScenarios")
  void an_engine_scenario_gives_figures(Scenario scenario) throws Exception {
    Sheet sheet = new Sheet();
    scenario.run(site, Sizes.TINY, sheet);
    assertThat(sheet.figures())
        .isNotEmpty()
        .allSatisfy(figure -> assertThat(figure.value()).as(figure.key()).isPositive())
        .extracting(Measurement::key)
        .allMatch(key -> key.startsWith(scenario.letter() + "."));
  }
}
