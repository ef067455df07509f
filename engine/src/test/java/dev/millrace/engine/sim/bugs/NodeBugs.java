package dev.millrace.engine.sim.bugs;

import dev.millrace.engine.command.CommandBatch;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Changes;
import dev.millrace.engine.port.Store;
import dev.millrace.engine.port.Transaction;
import dev.millrace.engine.sim.Bug;
import dev.millrace.engine.sim.Delegate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Nodes and stores that take a failure for something else. */
final class NodeBugs {

  static final List<Planted> ALL =
      List.of(
          new Planted(
              "answer before the commit",
              "a caller is told the result although the commit failed",
              () -> store(NodeBugs::hasty)),
          new Planted(
              "run again when in doubt",
              "a transaction whose outcome is unknown is simply repeated",
              () -> store(NodeBugs::stubborn)),
          new Planted(
              "take unknown for rolled back",
              "a lost answer to a commit is reported as if nothing had happened",
              () -> store(NodeBugs::sure)),
          new Planted(
              "keep the money outside",
              "credits are moved in a transaction of their own, which stays when the rest fails",
              () -> store(NodeBugs::apart)),
          new Planted(
              "remember the run before",
              "a batch that is run again still has the changes of its first run",
              NodeBugs::memory),
          new Planted(
              "mix up the answers",
              "the answers of a batch are given out in the wrong order",
              NodeBugs::mixed));

  private NodeBugs() {}

  private interface Meddled {
    <R> R transact(Store inner, Function<Transaction, R> work);
  }

  private static Bug store(Meddled meddled) {
    return new Bug() {
      @Override
      public Store around(Store store) {
        return new Store() {
          @Override
          public <R> R transact(Function<Transaction, R> work) {
            return meddled.transact(store, work);
          }
        };
      }
    };
  }

  private static final class Last<R> {
    private @Nullable R result;
  }

  private static <R> R hasty(Store inner, Function<Transaction, R> work) {
    Last<R> last = new Last<>();
    try {
      return inner.transact(tx -> {
        last.result = work.apply(tx);
        return Objects.requireNonNull(last.result);
      });
    } catch (Store.RolledBack | Store.OutcomeUnknown e) {
      if (last.result == null) {
        throw e;
      }
      return last.result;
    }
  }

  private static <R> R stubborn(Store inner, Function<Transaction, R> work) {
    try {
      return inner.transact(work);
    } catch (Store.OutcomeUnknown _) {
      return inner.transact(work);
    }
  }

  private static <R> R sure(Store inner, Function<Transaction, R> work) {
    try {
      return inner.transact(work);
    } catch (Store.OutcomeUnknown e) {
      throw new Store.RolledBack("it failed", e);
    }
  }

  private static <R> R apart(Store inner, Function<Transaction, R> work) {
    List<Changes> written = new ArrayList<>();
    try {
      return inner.transact(tx ->
          work.apply(
              new Delegate(tx) {
                @Override
                public void write(Changes changes) {
                  written.add(changes);
                  super.write(changes);
                }
              }));
    } catch (Store.RolledBack e) {
      if (!written.isEmpty()) {
        inner.transact(tx -> money(tx, written.getLast()));
      }
      throw e;
    }
  }

  private static Changes money(Transaction tx, Changes changes) {
    Set<Wallet.Owner> owners = new HashSet<>();
    changes.wallets().forEach(wallet -> owners.add(wallet.owner()));
    tx.lockWallets(owners);
    tx.now();
    Edit edit = new Edit(changes);
    edit.keepMoneyOnly();
    tx.write(edit.done());
    return changes;
  }

  private static Bug memory() {
    return new Bug() {
      @Override
      public <C, R> CommandBatch<C, R> around(CommandBatch<C, R> batch) {
        List<Changes> runs = new ArrayList<>();
        return (tx, commands) -> {
          CommandBatch.Decided<R> decided = batch.decide(tx, commands);
          runs.add(decided.changes());
          Edit all = new Edit(runs.getFirst());
          runs.subList(1, runs.size()).forEach(run -> all.add(new Edit(run)));
          return new CommandBatch.Decided<>(all.done(), decided.results());
        };
      }
    };
  }

  private static Bug mixed() {
    return new Bug() {
      @Override
      public <C, R> CommandBatch<C, R> around(CommandBatch<C, R> batch) {
        return (tx, commands) -> {
          CommandBatch.Decided<R> decided = batch.decide(tx, commands);
          return new CommandBatch.Decided<>(decided.changes(), decided.results().reversed());
        };
      }
    };
  }
}
