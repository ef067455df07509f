package dev.millrace.engine.port;

import java.util.function.Function;

/** Where everything durable lives. */
public interface Store {

  /**
   * Runs the work in one transaction and commits it when the work returns. A serialization failure
   * or a deadlock runs the work again, so it must keep no state of its own between runs.
   *
   * @throws RolledBack if the transaction certainly left no trace
   * @throws Unavailable if it left no trace because the store can't be reached
   * @throws OutcomeUnknown if it may or may not have been committed
   */
  <R> R transact(Function<Transaction, R> work);

  /** The transaction did not happen. */
  sealed class RolledBack extends RuntimeException permits Unavailable {
    public RolledBack(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** The store can't be reached now. Nothing happened, and trying at once again won't help. */
  final class Unavailable extends RolledBack {
    public Unavailable(String message, Throwable cause) {
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
