package dev.millrace.engine.command;

import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.money.Wallet;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Asks for one paid job.
 *
 * @param id made by the caller, so that asking twice cannot make two
 * @param key the user's idempotency key, or null
 * @param fingerprint tells whether two requests with one key ask for the same
 * @param runAt not before this, or null for at once
 * @param input resolved and validated, a JSON text
 */
public record SubmitJob(
    UUID id,
    Wallet.Owner owner,
    Terms terms,
    int priority,
    @Nullable String key,
    String fingerprint,
    @Nullable Instant runAt,
    String input,
    @Nullable UUID retryOf) {

  /** What the effect says about its jobs. */
  public record Terms(
      int effectId,
      int workflowId,
      long cost,
      int maxFailures,
      int maxInterruptions,
      int runSeconds,
      int queueSeconds,
      boolean review,
      boolean safetyRefund) {
    public Terms {
      if (cost < 0) {
        throw new IllegalArgumentException("a cost is never negative");
      }
      if (maxFailures < 1 || maxInterruptions < 1) {
        throw new IllegalArgumentException("a cap on tries is 1 at least: the one that ends it");
      }
      if (runSeconds < 1 || queueSeconds < 1) {
        throw new IllegalArgumentException("a job has some time to wait and to run");
      }
    }
  }

  public JobId jobId() {
    return new JobId(owner.tenant(), id);
  }

  /** How a submit ended. */
  public sealed interface Result {

    record Accepted(Job job) implements Result {}

    /** The key was used before, for the same request. Nothing was charged. */
    record Replayed(JobId job) implements Result {}

    /** The key was used before, for another request. */
    record KeyMismatch(JobId job) implements Result {}

    record InsufficientCredits(long required, long balance) implements Result {}
  }
}
