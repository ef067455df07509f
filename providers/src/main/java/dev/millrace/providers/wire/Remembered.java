package dev.millrace.providers.wire;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Something that a service publishes, such as its keys: fetched when it is first needed, kept for a
 * while, and fetched again when it seems to have changed. How often is bounded, so that whoever
 * sends forged calls can't make this server ask the service each time.
 */
public final class Remembered<T> {

  /** Gets the thing from the service; empty if that did not work out. */
  @FunctionalInterface
  public interface Source<T> {
    Optional<T> fetch() throws InterruptedException;
  }

  private final Source<T> source;
  private final InstantSource clock;
  private final Duration keep;
  private final Duration pause;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable T value;
  private Instant fetchedAt = Instant.MIN;
  private Instant askedAt = Instant.MIN;

  /**
   * Remembers what a source gives.
   *
   * @param keep how long it is believed without asking again
   * @param pause the least time between two questions
   */
  public Remembered(Source<T> source, InstantSource clock, Duration keep, Duration pause) {
    this.source = source;
    this.clock = clock;
    this.keep = keep;
    this.pause = pause;
  }

  /** The thing, as fresh as it needs to be. An old one is better than none. */
  public Optional<T> get() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      if (value == null || olderThan(fetchedAt, keep)) {
        ask();
      }
      return Optional.ofNullable(value);
    } finally {
      lock.unlock();
    }
  }

  /** The thing after it seemed to be out of date; empty if it was asked for too lately. */
  public Optional<T> again() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      return ask() ? Optional.ofNullable(value) : Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  private boolean ask() throws InterruptedException {
    if (!olderThan(askedAt, pause)) {
      return false;
    }
    askedAt = clock.instant();
    Optional<T> fetched = source.fetch();
    fetched.ifPresent(fresh -> {
      value = fresh;
      fetchedAt = clock.instant();
    });
    return fetched.isPresent();
  }

  private boolean olderThan(Instant time, Duration age) {
    return time.equals(Instant.MIN) || !clock.instant().isBefore(time.plus(age));
  }
}
