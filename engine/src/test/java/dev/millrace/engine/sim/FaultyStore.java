package dev.millrace.engine.sim;

import dev.millrace.engine.port.Store;
import dev.millrace.engine.port.Transaction;
import java.io.IOException;
import java.util.function.Function;
import java.util.function.Supplier;

/** A store that breaks before and after any call, and at the commit on either side of it. */
final class FaultyStore implements Store {

  private static final int MAX_RUNS = 5;

  private final Store inner;
  private final Faults faults;
  private boolean committed;

  FaultyStore(Store inner, Faults faults) {
    this.inner = inner;
    this.faults = faults;
  }

  /** Whether the newest transaction happened, whatever its caller was told. */
  boolean committed() {
    return committed;
  }

  @Override
  public <R> R transact(Function<Transaction, R> work) {
    for (int run = 1; ; run++) {
      try {
        return once(work);
      } catch (Faults.Broken e) {
        switch (e.kind()) {
          case CUT -> throw new Unavailable("the connection was cut", e);
          case REFUSED -> throw new RolledBack("the transaction was refused", e);
          case AGAIN -> {
            if (run == MAX_RUNS) {
              throw new RolledBack("the transaction was refused", e);
            }
          }
        }
      }
    }
  }

  private <R> R once(Function<Transaction, R> work) {
    boolean happened = false;
    try {
      faults.between("begin");
      Faults.Commit[] commit = {Faults.Commit.FINE};
      R result =
          inner.transact(tx -> {
            R decided = work.apply(new FaultyTransaction(tx));
            commit[0] = faults.commit();
            if (commit[0] == Faults.Commit.LOST) {
              throw unknown("the connection broke at the commit");
            }
            return decided;
          });
      happened = true;
      if (commit[0] == Faults.Commit.UNHEARD) {
        throw unknown("the answer to the commit was lost");
      }
      return result;
    } finally {
      committed = happened;
    }
  }

  private static OutcomeUnknown unknown(String message) {
    return new OutcomeUnknown(message, new IOException(message));
  }

  private final class FaultyTransaction extends Delegate {
    FaultyTransaction(Transaction inner) {
      super(inner);
    }

    @Override
    protected <R> R call(String name, Supplier<R> port) {
      faults.between(name);
      R result = port.get();
      faults.between("after " + name);
      return result;
    }
  }
}
