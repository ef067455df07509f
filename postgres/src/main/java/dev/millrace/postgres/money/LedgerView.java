package dev.millrace.postgres.money;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One line of a wallet's ledger. */
public record LedgerView(
    long id,
    String type,
    long amount,
    long captured,
    long balanceAfter,
    @Nullable UUID jobId,
    int fundingSeq,
    @Nullable String note,
    Instant at) {}
