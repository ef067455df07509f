package dev.millrace.postgres.outside;

import dev.millrace.engine.lifecycle.State;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An attempt that an outside provider took, or may have taken.
 *
 * @param token of its lease, which whoever collects the result carries
 * @param reference the provider's own name for it; null while nobody knows whether it took it
 */
public record HandoverView(
    Job job,
    int attempt,
    UUID token,
    String provider,
    @Nullable String reference,
    Instant intendedAt) {

  /**
   * The job that it is an attempt at, as it was when it was read.
   *
   * @param runSeconds how long the provider may take in all
   * @param input resolved, a JSON text
   * @param terms who pays, and until when
   */
  public record Job(
      int tenantId,
      UUID jobId,
      int workflowId,
      State state,
      int runSeconds,
      int progress,
      String input,
      Terms terms) {}

  /**
   * What a job's work is held to.
   *
   * @param walletId whose credits pay for it
   * @param secondsLeft until the job's deadline, when it was read; 0 for a job that is over
   */
  public record Terms(long walletId, double secondsLeft) {}
}
