package dev.millrace.cli.command.local;

import dev.millrace.cli.shell.ExitCode;
import dev.millrace.server.MillraceServer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes the server when the process is asked to end. It stands ready before the start begins,
 * because Ctrl-C may come while the server has its database running and nobody knows of it yet:
 * then the start is given up and undone, rather than left with a database that nobody owns.
 *
 * <p>All of that together has one limit. Whatever is not done by then is left to the next start.
 */
final class DrainOnExit {

  private static final Logger LOG = LoggerFactory.getLogger(DrainOnExit.class);
  private static final Duration LOOK = Duration.ofMillis(200);

  private final Consumer<String> say;
  private final Duration limit;
  private final CountDownLatch startIsOver = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);
  private volatile boolean givenUp;
  private volatile @Nullable Thread starting;
  private volatile @Nullable MillraceServer server;

  private DrainOnExit(Consumer<String> say, Duration limit) {
    this.say = say;
    this.limit = limit;
  }

  /**
   * Stands ready from now on.
   *
   * @param limit how long the end may take
   */
  static DrainOnExit install(Consumer<String> say, Duration limit) {
    DrainOnExit drain = new DrainOnExit(say, limit);
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().name("drain").unstarted(drain::drain));
    return drain;
  }

  /**
   * Runs a start that can be given up. It has a virtual thread, because there an interrupt ends
   * also the wait for a database that doesn't answer.
   *
   * @return empty if it was given up
   */
  Optional<MillraceServer> start(Supplier<MillraceServer> start) throws InterruptedException {
    InterruptibleStart<MillraceServer> begun = new InterruptibleStart<>(start);
    starting = begun.thread();
    try {
      MillraceServer newServer = begun.await();
      server = newServer;
      return Optional.of(newServer);
    } catch (RuntimeException e) {
      if (givenUp) {
        // What broke off says so in many ways, and none of them is news.
        LOG.debug("The start was given up", e);
        return Optional.empty();
      }
      throw e;
    } finally {
      starting = null;
    }
  }

  /** The start is over, well or badly; from here on the end need not wait for it. */
  void ready() {
    startIsOver.countDown();
  }

  /** Waits until the process was asked to end and the server is closed. */
  void await() throws InterruptedException {
    stopped.await();
  }

  private void drain() {
    Thread ending = Thread.ofPlatform().name("drain-end").daemon().start(this::end);
    try {
      if (!ending.join(limit)) {
        say.accept(
            "Not everything stopped within %d seconds, so the server ends now. The next start finds"
                    .formatted(limit.toSeconds())
                + " what was left; leases run out by themselves.");
        Runtime.getRuntime().halt(ExitCode.INTERNAL.code());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      stopped.countDown();
    }
  }

  private void end() {
    try {
      if (startIsOver.getCount() > 0) {
        say.accept("Stopping: the start is given up ...");
        givenUp = true;
        giveUpStart();
      }
      MillraceServer running = server;
      if (running != null) {
        say.accept("Stopping: running jobs go back to the queue ...");
        running.close();
      }
      if (running != null || givenUp) {
        say.accept("Stopped. Nothing is lost; start again to go on.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Again and again: whoever is interrupted may forget it and wait for the next thing. */
  private void giveUpStart() throws InterruptedException {
    do {
      Thread thread = starting;
      if (thread != null) {
        thread.interrupt();
      }
    } while (!startIsOver.await(LOOK.toMillis(), TimeUnit.MILLISECONDS));
  }
}
