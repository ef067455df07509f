package dev.millrace.mutants.pit;

import dev.millrace.mutants.result.Result;
import dev.millrace.mutants.run.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs PIT with the quick tests of {@code engine}; the simulations take too long for it. */
public final class PitRun {

  private static final String ENTRY = "org.pitest.mutationtest.commandline.MutationCoverageReport";

  private final Repository repository;
  private final List<String> types;
  private final int threads;

  /**
   * A run.
   *
   * @param types simple names of classes; none for all
   */
  public PitRun(Repository repository, List<String> types, int threads) {
    this.repository = repository;
    this.types = List.copyOf(types);
    this.threads = threads;
  }

  public List<Result> run() throws IOException, InterruptedException {
    Path out = repository.out().resolve("pit");
    Path log = repository.out().resolve("pit.log");
    Files.deleteIfExists(out.resolve("mutations.xml"));
    int code =
        new ProcessBuilder(command(out))
            .directory(repository.module("engine").toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start()
            .waitFor();
    if (code != 0) {
      throw new IOException("PIT failed, see " + log);
    }
    Path report = out.resolve("mutations.xml");
    return PitReport.read(
        Files.exists(report) ? Files.readString(report) : "<mutations/>",
        repository.module("engine").resolve("src/main/java"));
  }

  private List<String> command(Path out) throws IOException {
    List<Path> path = new ArrayList<>();
    path.add(repository.testClasses("engine"));
    path.add(repository.classes("engine"));
    path.add(repository.classes("contract"));
    path.addAll(repository.libraries());
    String classes =
        types.isEmpty()
            ? "dev.millrace.engine.*"
            : String.join(
                ",", types.stream().map(type -> "*.%s,*.%s$*".formatted(type, type)).toList());
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:+UseSerialGC",
        "-cp",
        Repository.classPath(path),
        ENTRY,
        "--reportDir=" + out,
        "--sourceDirs=src/main/java",
        "--mutableCodePaths=" + repository.classes("engine"),
        "--targetClasses=" + classes,
        "--targetTests=dev.millrace.engine.*Test",
        "--excludedTestClasses=*SimTest",
        "--outputFormats=XML",
        "--timestampedReports=false",
        "--threads=" + threads,
        "--timeoutConst=6000",
        "--failWhenNoMutations=false",
        "--jvmArgs=-XX:+UseSerialGC,-XX:TieredStopAtLevel=1");
  }
}
