package dev.millrace.server.rig;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * The clients that people already have, from npm, as their makers ship them. They are installed
 * once, by the lockfile beside the scripts, into a folder that outlives the test.
 */
public final class NodeClients {

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Path FOLDER = Path.of("target", "npm-clients").toAbsolutePath();

  private NodeClients() {}

  /** Runs a script of the test's resources to its end, which must be a good one. */
  public static void run(String script, Map<String, String> environment) {
    requireNpm();
    install();
    copy(script);
    assertThat(finished(List.of("node", script), environment)).isZero();
  }

  /** Nothing is shown where npm is missing, so nobody may overlook it. */
  private static void requireNpm() {
    boolean there = false;
    try {
      there =
          new ProcessBuilder("npm", "--version")
                  .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                  .start()
                  .waitFor()
              == 0;
    } catch (IOException _) {
      // Then it is missing.
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    if (!there) {
      System.err.println("SKIPPED, NOT SHOWN: npm is missing, so the real clients were not tried");
    }
    Assumptions.assumeTrue(there, "npm is missing");
  }

  /** Tests of several processes may want it at once. */
  private static void install() {
    try {
      Files.createDirectories(FOLDER);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    try (FileChannel channel =
            FileChannel.open(
                FOLDER.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        var _ = channel.lock()) {
      byte[] lock = read("package-lock.json");
      Path installed = FOLDER.resolve("installed-lock.json");
      if (!Files.exists(installed) || Files.mismatch(installed, lockFile(lock)) >= 0) {
        copy("package.json");
        copy("package-lock.json");
        assertThat(finished(List.of("npm", "ci", "--no-audit", "--no-fund"), Map.of())).isZero();
        Files.write(installed, lock);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path lockFile(byte[] lock) throws IOException {
    Path file = Files.createTempFile(FOLDER, "lock", ".json");
    file.toFile().deleteOnExit();
    return Files.write(file, lock);
  }

  private static byte[] read(String name) throws IOException {
    try (InputStream in = NodeClients.class.getResourceAsStream("/clients/" + name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    }
  }

  private static void copy(String name) {
    try (InputStream in = NodeClients.class.getResourceAsStream("/clients/" + name)) {
      Files.copy(
          Objects.requireNonNull(in, name),
          FOLDER.resolve(name),
          StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Never with the streams of this process, which the runner of the tests talks through. */
  private static int finished(List<String> command, Map<String, String> environment) {
    Path log = FOLDER.resolve(String.join("-", command) + ".log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(FOLDER.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().putAll(environment);
    try {
      Process process = builder.start();
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("it did not end in time: " + command);
      }
      if (process.exitValue() != 0) {
        System.err.println(Files.readString(log));
      }
      return process.exitValue();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
