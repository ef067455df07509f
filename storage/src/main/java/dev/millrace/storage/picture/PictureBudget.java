package dev.millrace.storage.picture;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How long all pictures of one call may take together, with the wait for others' pictures. What
 * isn't looked at by then goes without a preview, so that no answer waits for long. Of one thread.
 */
public final class PictureBudget {

  private static final Duration PER_CALL = Duration.ofSeconds(6);

  private final String owner;
  private final LongSupplier nanos;
  private long leftNanos;

  PictureBudget(String owner, Duration all, LongSupplier nanos) {
    this.owner = owner;
    this.nanos = nanos;
    this.leftNanos = all.toNanos();
  }

  /**
   * A whole budget for one call.
   *
   * @param owner whose pictures they are: a tenant, or one of its users
   */
  public static PictureBudget perCall(String owner) {
    return new PictureBudget(owner, PER_CALL, System::nanoTime);
  }

  String owner() {
    return owner;
  }

  Duration left() {
    return Duration.ofNanos(Math.max(0, leftNanos));
  }

  /** Work on a picture begins; the time until it is closed is taken off. */
  Use use() {
    long begun = nanos.getAsLong();
    long before = leftNanos;
    return new Use() {
      @Override
      public Duration left() {
        leftNanos = before - (nanos.getAsLong() - begun);
        return PictureBudget.this.left();
      }

      @Override
      public void close() {
        Duration _ = left();
      }
    };
  }

  /** The work on one picture. */
  interface Use extends AutoCloseable {

    /** What is left now. */
    Duration left();

    @Override
    void close();
  }
}
