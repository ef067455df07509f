package dev.millrace.service.fleet;

import dev.millrace.engine.port.Store;
import dev.millrace.engine.port.Transaction;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Counts transactions on their way to a real store. */
record CountingStore(Store store, AtomicInteger transactions) implements Store {

  @Override
  public <R> R transact(Function<Transaction, R> work) {
    transactions.incrementAndGet();
    return store.transact(work);
  }
}
