package dev.millrace.engine.money;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One append-only line.
 *
 * @param amount what the balance moved by; 0 for a consume
 * @param captured what a consume took of the hold
 * @param job null for a payment or an adjustment
 * @param fundingSeq which of the job's fundings this settles; 0 without a job
 * @param key the idempotency key of a payment
 */
public record LedgerLine(
    long walletId,
    LedgerType type,
    long amount,
    long captured,
    long balanceAfter,
    @Nullable UUID job,
    int fundingSeq,
    @Nullable String key,
    @Nullable String note) {}
