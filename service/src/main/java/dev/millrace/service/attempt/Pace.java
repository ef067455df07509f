package dev.millrace.service.attempt;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How fast an output comes. Only the time in which it is waited for counts: that our own store is
 * slow to take it says nothing about its sender.
 */
final class Pace {

  private static final int PIECE = 64 << 10;

  private final Least least;
  private final LongSupplier nanos;
  private long waited;
  private long came;
  private long waitingSince;
  private boolean waiting;
  private boolean slow;

  /**
   * What is asked of a sender, in every such stretch of time.
   *
   * @param stretch so long that a service may take a breath
   */
  record Least(Duration stretch, long bytesPerSecond) {

    /**
     * At this rate a picture of a megabyte takes 16 seconds, and a video of 200 MB an hour, which
     * is as long as there is patience for it. Who is slower is stuck, and others need the place
     * more.
     */
    static final Least USUAL = new Least(Duration.ofSeconds(20), 64 << 10);

    private long bytes() {
      return bytesPerSecond * stretch.toMillis() / 1_000;
    }
  }

  Pace(Least least, LongSupplier nanos) {
    this.least = least;
    this.nanos = nanos;
  }

  void copy(InputStream from, OutputStream to) throws IOException {
    byte[] piece = new byte[PIECE];
    while (true) {
      waits();
      int count = from.read(piece);
      comes(Math.max(0, count));
      if (count < 0) {
        return;
      }
      to.write(piece, 0, count);
    }
  }

  synchronized void waits() {
    waitingSince = nanos.getAsLong();
    waiting = true;
  }

  synchronized void comes(int bytes) {
    waited += nanos.getAsLong() - waitingSince;
    waiting = false;
    came += bytes;
    if (waited >= least.stretch.toNanos()) {
      slow |= came < least.bytes();
      waited = 0;
      came = 0;
    }
  }

  /** Whether a stretch has passed in which too little came. */
  synchronized boolean tooSlow() {
    long soFar = waited + (waiting ? nanos.getAsLong() - waitingSince : 0);
    return slow || (soFar >= least.stretch.toNanos() && came < least.bytes());
  }
}
