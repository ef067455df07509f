package dev.millrace.engine.port;

import java.util.function.Function;

/** Where everything durable lives. */
public interface Store {

  /**
   * Runs the work in one transaction and commits it when the work returns. A serialization failure
   * or a deadlock runs the work again, so it must keep no state of its own between runs.
   *
   * @throws RolledBack if the transaction certainly left no trace
   * @throws Unavailable if it left no trace because the store can't be reached or used now
   * @throws Busy if it left no trace because others hold what it needs
   * @throws OutcomeUnknown if it may or may not have been committed
   */
  <R> R transact(Function<Transaction, R> work);

  /** The same, but stands in line for what others hold for an instant only. */
  default <R> R transactBriefly(Function<Transaction, R> work) {
    return transact(work);
  }

  /** The transaction did not happen. */
  sealed class RolledBack extends RuntimeException permits Unavailable {
    public RolledBack(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** The store can't do it now. Nothing happened, and trying at once again won't help. */
  sealed class Unavailable extends RolledBack permits Busy {
    public Unavailable(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** Somebody else holds what the work needs for longer than it may wait. Nothing happened. */
  final class Busy extends Unavailable {
    public Busy(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** The connection broke at the commit: only a look at the data can tell what happened. */
  final class OutcomeUnknown extends RuntimeException {
    public OutcomeUnknown(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
