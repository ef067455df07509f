package dev.millrace.bench;

import dev.millrace.bench.load.Sizes;
import dev.millrace.bench.measure.Sheet;
import dev.millrace.bench.peers.Peers;
import dev.millrace.bench.place.Arena;
import dev.millrace.bench.place.Site;
import dev.millrace.bench.report.JsonReport;
import dev.millrace.bench.report.SvgChart;
import dev.millrace.bench.report.TargetVerdict;
import dev.millrace.bench.report.Targets;
import dev.millrace.bench.report.TextReport;
import dev.millrace.bench.scenario.BatchedEngine;
import dev.millrace.bench.scenario.Flood;
import dev.millrace.bench.scenario.Floor;
import dev.millrace.bench.scenario.HotWallet;
import dev.millrace.bench.scenario.HttpLifecycle;
import dev.millrace.bench.scenario.HttpSubmits;
import dev.millrace.bench.scenario.JobPageReads;
import dev.millrace.bench.scenario.LongHistory;
import dev.millrace.bench.scenario.ManyTenants;
import dev.millrace.bench.scenario.Pickup;
import dev.millrace.bench.scenario.Scenario;
import dev.millrace.bench.scenario.Streams;
import dev.millrace.bench.scenario.UnbatchedEngine;
import dev.millrace.bench.scenario.WarmUp;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** One run from the first scenario to the report. */
final class Run {

  static final int GOOD = 0;
  static final int BROKEN = 1;
  static final int USAGE = 2;

  private final Sizes sizes;
  private final Set<String> only;
  private final boolean peers;
  private final Path home;
  private final Path out;
  private final PrintStream print;
  private final PrintStream say;
  private final Sheet all = new Sheet();
  private boolean broken;

  Run(
      Sizes sizes,
      Set<String> only,
      boolean peers,
      Path home,
      Path out,
      PrintStream print,
      PrintStream say) {
    this.sizes = sizes;
    this.home = home;
    this.only = only;
    this.peers = peers;
    this.out = out;
    this.print = print;
    this.say = say;
  }

  static List<Scenario> scenarios() {
    return List.of(
        new Floor(),
        new BatchedEngine(),
        new UnbatchedEngine(),
        new HttpSubmits(),
        new HttpLifecycle(),
        new Pickup(),
        new LongHistory(),
        new HotWallet(),
        new Streams(),
        new Flood(),
        new JobPageReads(),
        new ManyTenants());
  }

  int run() throws Exception {
    List<Scenario> chosen =
        scenarios().stream().filter(s -> only.isEmpty() || only.contains(s.letter())).toList();
    if (chosen.isEmpty() && !peers) {
      say.println("No such scenario: " + only);
      return USAGE;
    }
    Files.createDirectories(out);
    Path folder = Files.createTempDirectory(out, "data-");
    try (Site site = Site.open(folder, line -> say.println("  " + line));
        AutoCloseable _ = whenInterrupted(site, folder)) {
      Map<String, String> surroundings = surroundings(site);
      new WarmUp().run(site, sizes, new Sheet());
      for (Scenario scenario : chosen) {
        measure(scenario, site);
      }
      if (peers) {
        measure(new Peers(home.resolve("bench").resolve("peers")), site);
      }
      finish(surroundings);
    } finally {
      delete(folder);
    }
    return broken ? BROKEN : GOOD;
  }

  /** Whoever stops a long run by Ctrl-C wants no database to stay behind, nor its gigabytes. */
  private static AutoCloseable whenInterrupted(Site site, Path folder) {
    Thread cleanUp =
        Thread.ofPlatform()
            .unstarted(() -> {
              site.close();
              try {
                delete(folder);
              } catch (IOException | UncheckedIOException _) {
                // A server that is stopped at the same time may still write there.
              }
            });
    Runtime.getRuntime().addShutdownHook(cleanUp);
    return () -> Runtime.getRuntime().removeShutdownHook(cleanUp);
  }

  /** A broken law, or any other trouble, costs the scenario its figures and no other's. */
  private void measure(Scenario scenario, Site site) throws InterruptedException {
    print.println("(" + scenario.letter() + ") " + scenario.title());
    Sheet sheet = new Sheet();
    try {
      scenario.run(site, sizes, sheet);
      print.println(TextReport.figures(sheet));
      all.addAll(sheet);
    } catch (InterruptedException e) {
      throw e;
    } catch (Arena.Unsound e) {
      refuse(scenario, e);
    } catch (Exception e) {
      refuse(scenario, e);
      e.printStackTrace(say);
    }
  }

  private void refuse(Scenario scenario, Exception e) {
    broken = true;
    String note = "(" + scenario.letter() + ") has no figures: " + e.getMessage();
    print.println("  " + note + "\n");
    all.note(note);
  }

  private void finish(Map<String, String> surroundings) throws IOException {
    List<TargetVerdict> verdicts = Targets.judge(all);
    print.println("Targets");
    print.println(TextReport.verdicts(verdicts));
    String subtitle = String.join(", ", surroundings.values());
    Files.writeString(out.resolve("bench.json"), JsonReport.write(surroundings, all, verdicts));
    Files.writeString(out.resolve("bench.svg"), SvgChart.draw(subtitle, all, verdicts));
    print.println("Written to " + out.resolve("bench.json") + " and " + out.resolve("bench.svg"));
  }

  private static Map<String, String> surroundings(Site site) {
    Map<String, String> words = new LinkedHashMap<>();
    words.put("at", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    words.put("machine", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
    words.put("cores", Runtime.getRuntime().availableProcessors() + " cores");
    words.put("java", "Java " + Runtime.version().feature());
    words.put(
        "postgres", "PostgreSQL " + site.read("millrace", "select split_part(version(), ' ', 2)"));
    words.put("fsync", "fsync " + site.read("millrace", "show fsync"));
    return words;
  }

  /** One at a time: an interrupted run ends in two places. */
  private static synchronized void delete(Path folder) throws IOException {
    if (Files.notExists(folder)) {
      return;
    }
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
