package dev.millrace.cli.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** A worker that was started as a process of its own, by {@code millrace worker}. */
final class RunningWorker implements AutoCloseable {

  private static final long STOP_LIMIT_SECONDS = 60;

  private final Process process;
  private final Path err;

  private RunningWorker(Process process, Path err) {
    this.process = process;
    this.err = err;
  }

  /**
   * Starts one.
   *
   * @param folder for its files, and where it runs
   */
  static RunningWorker start(Path folder, String id, Map<String, String> settings)
      throws IOException {
    Path place = Files.createDirectories(folder.resolve(id));
    Map<String, String> all = new TreeMap<>(settings);
    all.put("WORKER_ID", id);
    all.put("WORK_DIR", place.resolve("work").toString());
    Path err = place.resolve("worker.err");
    return new RunningWorker(
        Program.launch(place, all, place.resolve("worker.out"), err, "worker"), err);
  }

  /** Cuts it off in the middle of whatever it does. */
  void sigkill() throws InterruptedException {
    process.destroyForcibly();
    assertThat(process.waitFor(STOP_LIMIT_SECONDS, TimeUnit.SECONDS)).as("killed").isTrue();
  }

  /** Asks it to end, and answers its exit code. */
  int sigterm() throws IOException, InterruptedException {
    process.destroy();
    return awaitExit();
  }

  int awaitExit() throws IOException, InterruptedException {
    boolean ended = process.waitFor(STOP_LIMIT_SECONDS, TimeUnit.SECONDS);
    assertThat(ended).as("the worker ends by itself; it says:%n%s", log()).isTrue();
    return process.exitValue();
  }

  String log() throws IOException {
    return Files.readString(err);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
