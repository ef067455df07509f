package dev.millrace.engine;

import dev.millrace.engine.command.CommandBatch;
import dev.millrace.engine.command.CommandBatch.Decided;
import dev.millrace.engine.lane.BatchHandler;
import dev.millrace.engine.port.Row;
import dev.millrace.engine.port.Store;
import dev.millrace.engine.port.Transaction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs batches of one kind in transactions, and tells the engine's listener after the commit. */
final class BatchRunner<C, R> implements BatchHandler<C, R> {

  private static final System.Logger LOG = System.getLogger(BatchRunner.class.getName());

  private final Store store;
  private final Engine.Listener listener;
  private final CommandBatch<C, R> batch;

  BatchRunner(Store store, Engine.Listener listener, CommandBatch<C, R> batch) {
    this.store = store;
    this.listener = listener;
    this.batch = batch;
  }

  @Override
  public Supplier<List<R>> run(List<C> commands) {
    Decided<R> decided = unsureIfUnknown(() -> store.transact(tx -> decide(tx, commands)));
    return () -> told(decided);
  }

  @Override
  public Supplier<List<R>> runBriefly(List<C> commands) {
    Decided<R> decided = unsureIfUnknown(() -> store.transactBriefly(tx -> decide(tx, commands)));
    return () -> told(decided);
  }

  @Override
  public boolean skips() {
    return true;
  }

  /** A run: which commands were left out, and what was decided of the others. */
  private record Free<R>(Set<Integer> busy, @Nullable Decided<R> decided) {}

  @Override
  public Partly<R> runFree(List<C> commands) {
    Function<Transaction, Free<R>> work =
        tx -> {
          Set<Integer> busy = busy(tx, commands);
          List<C> free = new ArrayList<>();
          for (int i = 0; i < commands.size(); i++) {
            if (!busy.contains(i)) {
              free.add(commands.get(i));
            }
          }
          return new Free<>(busy, free.isEmpty() ? null : decide(tx, free));
        };
    Free<R> run = unsureIfUnknown(() -> store.transactBriefly(work));
    Decided<R> decided = run.decided;
    return new Partly<>(run.busy, decided == null ? List::of : () -> told(decided));
  }

  /** Locks what is free of what they need; returns the places of those who lack something. */
  private Set<Integer> busy(Transaction tx, List<C> commands) {
    Set<Row> rows = new HashSet<>();
    commands.forEach(command -> rows.addAll(batch.needs(command)));
    Set<Row> held = tx.lockFree(rows);
    Set<Integer> busy = new HashSet<>();
    for (int i = 0; i < commands.size(); i++) {
      if (!Collections.disjoint(held, batch.needs(commands.get(i)))) {
        busy.add(i);
      }
    }
    return busy;
  }

  private Decided<R> decide(Transaction tx, List<C> commands) {
    Decided<R> decision = batch.decide(tx, commands);
    if (!decision.changes().isEmpty()) {
      tx.write(decision.changes());
    }
    return decision;
  }

  private <T> T unsureIfUnknown(Supplier<T> transaction) {
    try {
      return transaction.get();
    } catch (Store.OutcomeUnknown e) {
      tell(Engine.Listener::unsure);
      throw e;
    }
  }

  private List<R> told(Decided<R> decided) {
    if (!decided.changes().isEmpty()) {
      tell(each -> each.committed(decided.changes()));
    }
    return decided.results();
  }

  /**
   * What is committed is committed: a listener's trouble must not look like a failed batch, which
   * the lane would run again.
   */
  private void tell(Consumer<Engine.Listener> news) {
    try {
      news.accept(listener);
    } catch (RuntimeException | Error e) {
      LOG.log(System.Logger.Level.ERROR, "a listener failed after a commit", e);
    }
  }
}
