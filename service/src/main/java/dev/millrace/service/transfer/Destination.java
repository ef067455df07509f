package dev.millrace.service.transfer;

import dev.millrace.postgres.transfers.TransferError;
import dev.millrace.spi.provider.Outcome;
import java.util.List;

/** Where rows are handed over to. */
interface Destination {

  /** What came of a chunk. */
  sealed interface Answer {

    /**
     * It is known what became of each row.
     *
     * @param errors of those that failed, as far as the other side says
     */
    record Counted(Counts counts, List<TransferError> errors) implements Answer {}

    /** It goes no further now; the same chunk is handed over again, or never. */
    record Ended(Outcome outcome) implements Answer {}
  }

  /** Hands them over; each has its data. */
  Answer hand(List<Row> rows) throws InterruptedException;
}
