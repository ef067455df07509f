package dev.millrace.postgres.transfers;

import java.util.UUID;

/**
 * How far a transfer is.
 *
 * @param id that of the first job of those that do each other again
 * @param done how many items or rows are done with, from the first on
 * @param counts what became of them, a JSON object
 */
public record TransferView(UUID id, long done, String counts) {}
