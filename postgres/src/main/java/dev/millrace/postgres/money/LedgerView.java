package dev.millrace.postgres.money;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One line of a wallet's ledger. */
public record LedgerView(
    long id,
    String type,
    Credits credits,
    @Nullable UUID jobId,
    int fundingSeq,
    @Nullable String note,
    Instant at) {

  /** What was moved, and what there was after it. */
  public record Credits(long amount, long captured, long balanceAfter) {}
}
