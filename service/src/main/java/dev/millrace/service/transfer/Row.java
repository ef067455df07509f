package dev.millrace.service.transfer;

import dev.millrace.postgres.transfers.TransferError;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * One item or one row of a file.
 *
 * @param number counts from 1, and is the same whenever the same source is read
 * @param line where it begins in its file; the number where it is in none
 * @param key by which it is known wherever it is handed over; the same for ever
 * @param data null if it can't be handed over
 * @param error why not
 */
record Row(
    long number, long line, String key, @Nullable ObjectNode data, @Nullable TransferError error) {

  static Row good(long number, long line, String key, ObjectNode data) {
    return new Row(number, line, key, data, null);
  }

  static Row bad(long number, long line, String key, @Nullable String field, String message) {
    return new Row(number, line, key, null, RowErrors.of(line, field, message));
  }
}
