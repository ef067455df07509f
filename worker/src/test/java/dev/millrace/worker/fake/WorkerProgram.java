package dev.millrace.worker.fake;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The worker as a process of its own. */
public final class WorkerProgram implements AutoCloseable {

  private final Process process;
  private final Path output;

  private WorkerProgram(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  /** Settings for a worker of the double, without any executor. */
  public static Map<String, String> settings(FakeMillrace server, Path place) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("MILLRACE_URL", server.url().toString());
    settings.put("MILLRACE_FLEET_SECRET", FakeMillrace.SECRET);
    settings.put("WORKFLOWS", "demo");
    settings.put("WORKER_ID", "w-1");
    settings.put("WORK_DIR", place.resolve("work").toString());
    settings.put("SPOT", "off");
    settings.put("LOG_FORMAT", "text");
    return settings;
  }

  public static WorkerProgram start(Map<String, String> settings, Path place, String... args) {
    List<String> command =
        new java.util.ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home", ""), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path", ""),
                "dev.millrace.worker.Main"));
    command.addAll(List.of(args));
    try {
      Path output = Files.createTempFile(place, "worker", ".log");
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.redirectOutput(output.toFile());
      builder.environment().putAll(settings);
      return new WorkerProgram(builder.start(), output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public String output() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** SIGTERM. */
  public void terminate() {
    process.destroy();
  }

  /** SIGKILL. */
  public void kill() {
    process.destroyForcibly();
  }

  public boolean isOver() {
    return !process.isAlive();
  }

  /** The exit code, once it has ended. */
  public int exit() throws InterruptedException {
    if (!process.waitFor(Duration.ofSeconds(60).toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException("still running:\n" + output());
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
