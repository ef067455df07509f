package dev.millrace.cli.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.shell.Profile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/** A server that was started as a process of its own. */
final class RunningServer implements AutoCloseable {

  private static final Duration START_LIMIT = Duration.ofSeconds(90);
  private static final long STOP_LIMIT_SECONDS = 90;

  private final Process process;
  private final Path out;
  private final Path err;
  private final Path profile;

  RunningServer(Process process, Path out, Path err, Path profile) {
    this.process = process;
    this.out = out;
    this.err = err;
    this.profile = profile;
  }

  /** Ready is what the greeting says, and the last of its lines says it all. */
  RunningServer awaitReady() {
    await().atMost(START_LIMIT).until(() -> !process.isAlive() || out().contains("  Next     "));
    assertThat(process.isAlive()).as("the server lives; it says:%n%s", err()).isTrue();
    return this;
  }

  /** A client with what the start has written into the profile. */
  Client client() throws IOException {
    Profile written = Profile.load(profile).orElseThrow();
    return new Client(written.url(), written.key());
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Cuts it off in the middle of whatever it does. */
  void sigkill() throws InterruptedException {
    process.destroyForcibly();
    assertThat(process.waitFor(STOP_LIMIT_SECONDS, TimeUnit.SECONDS)).as("killed").isTrue();
  }

  /** Asks it to end, as Ctrl-C does, and answers its exit code. */
  int sigterm() throws InterruptedException {
    process.destroy();
    return awaitExit();
  }

  /** The same, and it has to end within this time. */
  int sigterm(Duration limit) throws InterruptedException {
    process.destroy();
    boolean ended = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
    assertThat(ended).as("the server ends in time; it says:%n%s", err()).isTrue();
    return process.exitValue();
  }

  int awaitExit() throws InterruptedException {
    boolean ended = process.waitFor(STOP_LIMIT_SECONDS, TimeUnit.SECONDS);
    assertThat(ended).as("the server ends by itself; it says:%n%s", err()).isTrue();
    return process.exitValue();
  }

  /** What it has told people. */
  String out() {
    return read(out);
  }

  /** What it has logged, and said on the way. */
  String err() {
    return read(err);
  }

  /** Only the lines of the log. */
  List<JsonNode> log() {
    return err().lines().filter(line -> line.startsWith("{")).map(ApiJson::parse).toList();
  }

  @Override
  public void close() {
    try {
      process.destroy();
      if (!process.waitFor(STOP_LIMIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
