package dev.millrace.postgres.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A real second process that runs {@link DatabaseOwner}; closing it kills it. */
final class ChildJvm implements AutoCloseable {
  private static final List<String> MILESTONES =
      List.of("READY", "REFUSED", "DRAINED", "FAILED", "CLOSED");

  private final Process process;
  private final BufferedReader output;
  private final List<String> seen = new ArrayList<>();

  private ChildJvm(Process process) {
    this.process = process;
    this.output = process.inputReader();
  }

  static ChildJvm owning(Path dataDir) throws IOException {
    return start(List.of(), System.getProperty("java.class.path"), dataDir);
  }

  static ChildJvm start(List<String> prefix, String classPath, Path dataDir) throws IOException {
    var words = new ArrayList<>(prefix);
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(List.of("-Xmx128m", "-cp", classPath, DatabaseOwner.class.getName()));
    words.add(dataDir.toString());
    return new ChildJvm(
        new ProcessBuilder(words)
            .redirectErrorStream(true)
            .directory(Path.of("/").toFile())
            .start());
  }

  /**
   * Fails if PostgreSQL still works on a cluster, and ends it so that one failure doesn't cause the
   * next.
   */
  static void assertNothingRunsOn(Path cluster) {
    var left = new ClusterProcesses(cluster).all();
    left.forEach(ProcessHandle::destroyForcibly);
    assertThat(left).isEmpty();
  }

  long pid() {
    return process.pid();
  }

  /**
   * Reads to the next milestone, which has to be this one; whatever comes instead is in the
   * failure.
   */
  String await(String milestone) throws IOException {
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      seen.add(line);
      if (MILESTONES.stream().anyMatch(line::startsWith)) {
        assertThat(line).as(String.join("\n", seen)).startsWith(milestone);
        return line;
      }
    }
    throw new AssertionError("The child ended early:\n" + String.join("\n", seen));
  }

  void endInput() throws IOException {
    process.getOutputStream().close();
  }

  void interruptGroup() throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-INT", "--", "-" + process.pid()).inheritIO().start().waitFor();
  }

  /** With SIGKILL, so that it can't tidy up. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() {
    kill();
  }
}
