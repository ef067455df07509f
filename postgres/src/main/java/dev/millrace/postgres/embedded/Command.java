package dev.millrace.postgres.embedded;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** A short-lived program, run to its end in a working directory. */
record Command(List<String> words, Path directory) {
  private static final Duration LOOK = Duration.ofMillis(100);

  /**
   * How a program ended. A program that could not be started counts as failed, with the reason as
   * its output.
   */
  record Result(int exitCode, String output) {
    boolean succeeded() {
      return exitCode == 0;
    }
  }

  Result run(Duration limit) {
    return run(limit, "");
  }

  Result run(Duration limit, String input) {
    return run(limit, input, () -> false);
  }

  /**
   * Waits even if the thread is interrupted, and leaves the interrupt flag as it was. Stopping the
   * database is what an interrupted thread does last, and must not be cut short by the very
   * interrupt that led to it.
   *
   * @param unwanted true as soon as nobody wants it to go on; it is asked now and then
   */
  Result run(Duration limit, String input, BooleanSupplier unwanted) {
    Process process;
    try {
      process = builder().start();
    } catch (IOException e) {
      return new Result(-1, String.valueOf(e.getMessage()));
    }
    var output = new CompletableFuture<String>();
    Thread.ofVirtual().start(() -> output.complete(readAll(process)));
    write(process, input);
    boolean interrupted = Thread.interrupted();
    long deadline = System.nanoTime() + limit.toNanos();
    try {
      while (true) {
        try {
          long left = deadline - System.nanoTime();
          if (process.waitFor(Math.min(left, LOOK.toNanos()), TimeUnit.NANOSECONDS)) {
            return new Result(process.exitValue(), output.get(left, TimeUnit.NANOSECONDS));
          }
          if (left <= 0 || unwanted.getAsBoolean()) {
            process.destroyForcibly();
            return new Result(-1, words + " did not end within " + limit);
          }
        } catch (InterruptedException _) {
          interrupted = true;
        } catch (ExecutionException | TimeoutException e) {
          return new Result(-1, words + " kept its output open: " + e);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private ProcessBuilder builder() {
    var builder = new ProcessBuilder(words).directory(directory.toFile()).redirectErrorStream(true);
    var environment = builder.environment();
    // A PGDATA or PGOPTIONS meant for another database must not leak into this one.
    environment.keySet().removeIf(name -> name.startsWith("PG") || name.startsWith("LC_"));
    // The messages are read by us, so they have to be in one language.
    environment.put("LC_ALL", "C");
    return builder;
  }

  private static void write(Process process, String input) {
    try (OutputStream stdin = process.getOutputStream()) {
      stdin.write(input.getBytes(StandardCharsets.UTF_8));
    } catch (IOException _) {
      // The program ended without reading; its exit code tells more than the broken pipe.
    }
  }

  private static String readAll(Process process) {
    try (var stdout = process.getInputStream()) {
      return new String(stdout.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      return e.toString();
    }
  }
}
