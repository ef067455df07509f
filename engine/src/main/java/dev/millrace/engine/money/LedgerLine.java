package dev.millrace.engine.money;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One append-only line.
 *
 * @param amount what the balance moved by; 0 for a consume
 * @param captured what a consume took of the hold
 * @param funding null for a payment or an adjustment
 * @param key the idempotency key of a payment
 */
public record LedgerLine(
    long walletId,
    LedgerType type,
    long amount,
    long captured,
    long balanceAfter,
    @Nullable Funding funding,
    @Nullable String key,
    @Nullable String note) {

  /**
   * What a job's line is about.
   *
   * @param seq which of the job's fundings
   */
  public record Funding(UUID job, int seq) {}

  public @Nullable UUID job() {
    return funding == null ? null : funding.job;
  }

  /** 0 without a job. */
  public int fundingSeq() {
    return funding == null ? 0 : funding.seq;
  }
}
