package dev.millrace.service.transfer;

import dev.millrace.contract.text.OwnerText;
import dev.millrace.postgres.transfers.TransferError;
import org.jspecify.annotations.Nullable;

/** Words errors of rows so that they can be stored and shown. */
final class RowErrors {

  private static final int LONGEST_FIELD = 200;
  private static final int LONGEST_MESSAGE = 300;

  private RowErrors() {}

  static TransferError of(long line, @Nullable String field, String message) {
    String said = OwnerText.line(message, LONGEST_MESSAGE);
    return new TransferError(
        line,
        field == null || field.isBlank() ? null : OwnerText.line(field, LONGEST_FIELD),
        said.isBlank() ? "is wrong" : said);
  }
}
