package dev.millrace.engine.command;

import dev.millrace.engine.port.Changes;
import dev.millrace.engine.port.Row;
import dev.millrace.engine.port.Transaction;
import java.util.List;
import java.util.Set;

/** Decides all commands of one kind that gathered, in one transaction. */
public interface CommandBatch<C, R> {

  /** Locks and decides; the caller writes the changes and commits. */
  Decided<R> decide(Transaction tx, List<C> commands);

  /**
   * All rows that {@link #decide} would lock for this command, but for those that it would pass
   * over if somebody held them.
   */
  default Set<Row> needs(C command) {
    return Set.of();
  }

  /**
   * What a batch decided.
   *
   * @param results one for each command, in their order
   */
  record Decided<R>(Changes changes, List<R> results) {}
}
