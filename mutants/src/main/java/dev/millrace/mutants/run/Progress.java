package dev.millrace.mutants.run;

import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Tells now and then how far a long run is, and how long it will take. */
final class Progress {

  private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final PrintStream out;
  private final int all;
  private final long start = System.nanoTime();
  private long told = start;
  private int done;
  private int alive;

  Progress(PrintStream out, int all) {
    this.out = out;
    this.all = all;
  }

  synchronized void done(boolean lives) {
    done++;
    alive += lives ? 1 : 0;
    long now = System.nanoTime();
    if (now - told > EVERY_NANOS || done == all) {
      told = now;
      Duration left = Duration.ofNanos((now - start) / done * (all - done));
      out.printf(
          "%,d of %,d mutants, %,d alive, about %d min left%n",
          done, all, alive, left.toMinutes() + (done == all ? 0 : 1));
    }
  }
}
