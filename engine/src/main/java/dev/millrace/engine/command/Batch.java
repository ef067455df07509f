package dev.millrace.engine.command;

import dev.millrace.engine.port.Changes;
import dev.millrace.engine.port.Transaction;
import java.util.List;

/** Decides all commands of one kind that gathered, in one transaction. */
public interface Batch<C, R> {

  /** Locks and decides; the caller writes the changes and commits. */
  Decided<R> decide(Transaction tx, List<C> commands);

  /**
   * What a batch decided.
   *
   * @param results one for each command, in their order
   */
  record Decided<R>(Changes changes, List<R> results) {}
}
