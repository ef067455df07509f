package dev.millrace.service.transfer;

import dev.millrace.postgres.transfers.TransferError;
import dev.millrace.postgres.transfers.TransferView;
import dev.millrace.postgres.transfers.Transfers;
import dev.millrace.service.attempt.RunningAttempt;
import dev.millrace.spi.provider.Outcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One attempt's way through a source, chunk by chunk, from where the last one was written down. */
final class TransferRun {

  private static final int MOST_CHARACTERS = 1 << 20;

  /** What is wrong with rows is written down at least this often. */
  private static final int MOST_LOOKED_AT = 2_000;

  private static final int MOST_LISTED = 100_000;
  private static final int MOST_PERCENT = 99;

  private final Transfers transfers;
  private final Transfers.Holder holder;
  private final RunningAttempt attempt;
  private final Terms terms;
  private TransferView at;
  private Counts counts;

  /**
   * How it is done.
   *
   * @param chunk how many rows are handed over at once, at most
   * @param takenAs what rows are called that were taken
   * @param skippedBefore how many were left out before it began
   */
  record Terms(int chunk, String takenAs, long skippedBefore) {}

  TransferRun(
      Transfers transfers,
      Transfers.Holder holder,
      RunningAttempt attempt,
      Terms terms,
      TransferView begin) {
    this.transfers = transfers;
    this.holder = holder;
    this.attempt = attempt;
    this.terms = terms;
    this.at = begin;
    this.counts = Counts.read(begin.counts());
  }

  /** Where it is now. */
  TransferView at() {
    return at;
  }

  Counts counts() {
    return counts;
  }

  /** Hands all over that is left; null once nothing is. */
  @Nullable Outcome run(RowSource source, Destination destination)
      throws IOException, RowSource.Unreadable, InterruptedException {
    skip(source);
    Part part = part(source);
    while (part.read > 0) {
      if (attempt.canceled()) {
        return new Outcome.Canceled();
      }
      Counts more = Counts.NONE.plus(Counts.FAILED, part.errors.size());
      List<TransferError> errors = new ArrayList<>(part.errors);
      if (!part.good.isEmpty()) {
        switch (destination.hand(part.good)) {
          case Destination.Answer.Ended(Outcome outcome) -> {
            return outcome;
          }
          case Destination.Answer.Counted(Counts known, List<TransferError> told) -> {
            more = more.plus(known);
            errors.addAll(told);
          }
        }
      }
      if (!writeDown(part, more, errors)) {
        // Somebody else goes on with it, so this attempt's lease is lost.
        return new Outcome.Canceled();
      }
      tell(source.percent());
      part = part(source);
    }
    return null;
  }

  private void skip(RowSource source) throws IOException, RowSource.Unreadable {
    for (long i = 0; i < at.done(); i++) {
      if (source.next() == null) {
        throw new RowSource.Unreadable("The file has fewer rows than before.");
      }
    }
  }

  /** Rows that are looked at together. */
  private static final class Part {
    private final List<Row> good = new ArrayList<>();
    private final List<TransferError> errors = new ArrayList<>();
    private int read;
  }

  private Part part(RowSource source) throws IOException, RowSource.Unreadable {
    Part part = new Part();
    long characters = 0;
    while (part.good.size() < terms.chunk()
        && part.read < MOST_LOOKED_AT
        && characters < MOST_CHARACTERS) {
      Row row = source.next();
      if (row == null) {
        break;
      }
      part.read++;
      if (row.data() == null) {
        part.errors.add(Objects.requireNonNull(row.error()));
      } else {
        part.good.add(row);
        characters += row.data().toString().length();
      }
    }
    return part;
  }

  private boolean writeDown(Part part, Counts more, List<TransferError> errors) {
    Counts sum = counts.plus(more);
    long room = Math.max(0, MOST_LISTED - counts.of(Counts.LISTED));
    List<TransferError> listed = errors.subList(0, (int) Math.min(room, errors.size()));
    sum = sum.plus(Counts.LISTED, listed.size());
    TransferView next = new TransferView(at.id(), at.done() + part.read, sum.json());
    if (!transfers.advance(holder, at, next.done(), next.counts(), listed)) {
      return false;
    }
    at = next;
    counts = sum;
    return true;
  }

  private void tell(int percent) {
    attempt.summary(counts.facts(terms.takenAs(), terms.skippedBefore()));
    attempt.progress(
        Math.clamp(percent, 1, MOST_PERCENT), "handing_over", at.done() + " rows so far");
  }
}
