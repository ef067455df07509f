package dev.millrace.engine.job;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One try at a job. It is begun once and ended once, and never changed after that. */
public sealed interface Attempt {

  JobId job();

  int number();

  record Begun(JobId job, int number, UUID token, String worker, Instant at) implements Attempt {}

  /**
   * How it ended.
   *
   * @param outcome one word, such as {@code completed}, {@code failed} or {@code lease_lost}
   */
  record Ended(JobId job, int number, String outcome, @Nullable String error, Instant at)
      implements Attempt {}
}
