package dev.millrace.postgres.transfers;

import org.jspecify.annotations.Nullable;

/**
 * What is wrong with a row.
 *
 * @param line where it begins in its file, or its place in a list
 * @param field which of its fields is wrong; null for none in particular
 */
public record TransferError(long line, @Nullable String field, String message) {}
