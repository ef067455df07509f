package dev.millrace.cli.api;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Repeats what may safely be repeated, a bounded number of times.
 *
 * <p>A server that names a time (Retry-After) is given that time, unless it is longer than anybody
 * would watch a prompt for; then the refusal is passed on at once.
 */
final class Retry {

  static final int TRIES = 6;
  static final Duration LONGEST_RETRY_AFTER = Duration.ofSeconds(60);
  private static final long FIRST_DELAY_MILLIS = 300;
  private static final long LONGEST_DELAY_MILLIS = 5_000;

  /** One try. */
  @FunctionalInterface
  interface Call<T> {
    T run() throws InterruptedException;
  }

  private final RetryWait pause;

  Retry(RetryWait pause) {
    this.pause = pause;
  }

  <T> T call(Call<T> attempt) throws InterruptedException {
    for (int tried = 1; ; tried++) {
      try {
        return attempt.run();
      } catch (UnreachableException unreachable) {
        if (tried == TRIES) {
          throw unreachable;
        }
        pause.sleep(backoff(tried));
      } catch (RefusedException refused) {
        Duration asked = refused.retryAfter().orElse(Duration.ZERO);
        if (tried == TRIES
            || !refused.problem().passing()
            || asked.compareTo(LONGEST_RETRY_AFTER) > 0) {
          throw refused;
        }
        Duration own = backoff(tried);
        pause.sleep(asked.compareTo(own) > 0 ? asked : own);
      }
    }
  }

  /**
   * Doubles from try to try; the upper half is random so that many clients do not march in step.
   */
  static Duration backoff(int tried) {
    long full = Math.min(LONGEST_DELAY_MILLIS, FIRST_DELAY_MILLIS << Math.min(tried - 1, 10));
    return Duration.ofMillis(full / 2 + ThreadLocalRandom.current().nextLong(full / 2 + 1));
  }
}
