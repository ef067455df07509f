package dev.millrace.postgres.store;

import dev.millrace.engine.port.Store;
import dev.millrace.engine.port.Transaction;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.function.Function;

/** The database, with a clock that the test can shift. */
final class HandClock implements Store {

  private final Store store;
  private volatile Duration shift = Duration.ZERO;

  HandClock(Store store) {
    this.store = store;
  }

  void shift(Duration by) {
    shift = by;
  }

  @Override
  public <R> R transact(Function<Transaction, R> work) {
    return store.transact(tx -> work.apply(shifted(tx)));
  }

  private Transaction shifted(Transaction tx) {
    return (Transaction)
        Proxy.newProxyInstance(
            Transaction.class.getClassLoader(),
            new Class<?>[] {Transaction.class},
            (_, method, arguments) -> {
              if (method.getName().equals("now")) {
                return tx.now().plus(shift);
              }
              try {
                return method.invoke(tx, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
