package dev.millrace.engine.job;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What happens to one try at a job. It is begun once and ended once; in between it may be handed to
 * an outside provider once. Nothing of it is ever changed after that.
 */
public sealed interface Attempt {

  JobId job();

  int number();

  record Begun(JobId job, int number, UUID token, String worker, Instant at) implements Attempt {}

  /**
   * It is about to be handed to a provider: from here on it may be there, whatever happens.
   *
   * @param settledBefore of how many earlier attempts, of which nobody had heard, the provider has
   *     said what became of them; null if it was not asked
   */
  record Intended(
      JobId job, int number, String provider, @Nullable Integer settledBefore, Instant at)
      implements Attempt {}

  /** Nobody knows whether the provider has it; from here on the provider is asked. */
  record Unconfirmed(JobId job, int number, Instant at) implements Attempt {}

  /**
   * The provider took it, under this reference of its own. It may be the work of an attempt before,
   * which this one waited for without an intent; then it is intended as well by this.
   */
  record Accepted(JobId job, int number, String provider, String reference, Instant at)
      implements Attempt {}

  /**
   * How it ended.
   *
   * @param outcome one word, such as {@code completed}, {@code failed} or {@code lease_lost}
   */
  record Ended(JobId job, int number, String outcome, @Nullable String error, Instant at)
      implements Attempt {}
}
