package dev.millrace.cli.command.local;

import dev.millrace.server.MillraceServer;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Closes the server when the process is asked to end. It stands ready before the start begins,
 * because Ctrl-C may come while the server has its database running and nobody knows of it yet:
 * then the start is let finish and undone, rather than left with a database that nobody owns.
 */
final class DrainOnExit {

  private final Consumer<String> say;
  private final CountDownLatch startIsOver = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);
  private volatile @Nullable MillraceServer server;

  private DrainOnExit(Consumer<String> say) {
    this.say = say;
  }

  static DrainOnExit install(Consumer<String> say) {
    DrainOnExit drain = new DrainOnExit(say);
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().name("drain").unstarted(drain::drain));
    return drain;
  }

  void started(MillraceServer newServer) {
    server = newServer;
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
    try {
      if (startIsOver.getCount() > 0) {
        say.accept("Stopping as soon as the start is over ...");
        startIsOver.await();
      }
      MillraceServer running = server;
      if (running != null) {
        say.accept("Stopping: running jobs go back to the queue ...");
        running.close();
        say.accept("Stopped. Nothing is lost; start again to go on.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      stopped.countDown();
    }
  }
}
