package dev.millrace.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.conformance.Ground;
import dev.millrace.engine.conformance.TransactionConformanceTest;
import dev.millrace.engine.port.Store;
import dev.millrace.engine.port.Transaction;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/** The twin that the simulation trusts does what every store must do. */
class MemoryStoreConformanceTest extends TransactionConformanceTest {

  private final MemoryStore store = new MemoryStore();

  @Override
  protected Ground emptyGround() {
    return ground;
  }

  private final Ground ground =
      new Ground() {
        @Override
        public Store node(int tenantCap) {
          store.tables().tenantCap = tenantCap;
          return store;
        }

        @Override
        public Instant now() {
          return store.now();
        }

        @Override
        public void setNow(Instant now) {
          store.setNow(now);
        }

        @Override
        public void pauseWorkflow(int workflow) {
          store.tables().pausedWorkflows.add(workflow);
        }

        @Override
        public void pauseEffect(int effect) {
          store.tables().pausedEffects.add(effect);
        }

        @Override
        public void capEffect(int effect, int most) {
          store.tables().effectCaps.put(effect, most);
        }

        @Override
        public void enroll(String worker, int slots) {
          store.tables().slots.put(worker, slots);
        }

        @Override
        public void drain(String worker) {
          store.tables().slots.remove(worker);
        }

        // Nobody waits in memory: who would have to is turned away, and comes again.
        @Override
        public <R> R meet(
            Function<Transaction, ?> first, Function<Transaction, R> second, Runnable meanwhile) {
          AtomicBoolean waited = new AtomicBoolean();
          store.transact(tx -> {
            Object _ = first.apply(tx);
            try {
              store.transact(theirs -> refused(theirs, second, meanwhile));
            } catch (Busy _) {
              waited.set(true);
            }
            return tx;
          });
          assertThat(waited).as("the second had to wait").isTrue();
          return store.transact(second);
        }
      };

  /** What it locked before it was turned away is still locked while somebody looks round. */
  private static <R> R refused(Transaction tx, Function<Transaction, R> work, Runnable meanwhile) {
    try {
      return work.apply(tx);
    } catch (Busy e) {
      meanwhile.run();
      throw e;
    }
  }
}
