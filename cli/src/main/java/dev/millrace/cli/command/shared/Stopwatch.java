package dev.millrace.cli.command.shared;

import dev.millrace.cli.shell.Session;
import dev.millrace.cli.text.Clip;
import dev.millrace.cli.text.Say;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Shows on a terminal that something takes its time, and wipes it away at the end. */
public final class Stopwatch implements AutoCloseable {

  private static final String WHOLE_LINE = "\r\u001b[K";

  private final CountDownLatch over = new CountDownLatch(1);
  private final Thread thread;

  private Stopwatch(Session session, String what) {
    this.thread = Thread.ofVirtual().start(() -> show(session, what));
  }

  public static Stopwatch start(Session session, String what) {
    Stopwatch watch = new Stopwatch(session, what);
    if (!ProgressDisplay.canRedraw(session)) {
      watch.over.countDown();
    }
    return watch;
  }

  private void show(Session session, String what) {
    PrintStream err = session.surroundings().err();
    long start = System.nanoTime();
    boolean shown = false;
    try {
      while (!over.await(1, TimeUnit.SECONDS)) {
        String elapsed = Say.stopwatch(Duration.ofNanos(System.nanoTime() - start));
        String line = what + "  " + elapsed;
        err.print(WHOLE_LINE + Clip.fit(line, session.surroundings().barColumns(), false));
        err.flush();
        shown = true;
      }
    } catch (InterruptedException _) {
      // The program ends.
    }
    if (shown) {
      err.print(WHOLE_LINE);
      err.flush();
    }
  }

  @Override
  public void close() {
    over.countDown();
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
