package dev.millrace.service.duties;

import dev.millrace.postgres.history.History;

/**
 * How long events and ledger lines stay, and what becomes of older months.
 *
 * @param months 0 means for ever
 */
public record HistoryRetention(int months, History.Disposal disposal) {}
