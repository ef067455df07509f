package dev.millrace.engine.sim;

import dev.millrace.engine.command.CommandBatch;
import dev.millrace.engine.port.Store;
import dev.millrace.engine.port.Transaction;

/** A mistake that somebody could make, put around the real code from outside. */
public interface Bug {

  /** Nothing is wrong. */
  Bug NONE = new Bug() {};

  default <C, R> CommandBatch<C, R> around(CommandBatch<C, R> batch) {
    return batch;
  }

  default Store around(Store store) {
    return store;
  }

  default Transaction around(Transaction transaction) {
    return transaction;
  }
}
