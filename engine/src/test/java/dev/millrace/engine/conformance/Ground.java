package dev.millrace.engine.conformance;

import dev.millrace.engine.port.Store;
import dev.millrace.engine.port.Transaction;
import java.time.Instant;
import java.util.function.Function;

/** An empty store with two tenants, two workflows and three effects, and what stands around it. */
public interface Ground {

  /** One more node, which remembers nothing of what others have seen. */
  default Store node() {
    return node(0);
  }

  /** One more node, which lets a tenant have so many running jobs; 0 for any number. */
  Store node(int tenantCap);

  Instant now();

  void setNow(Instant now);

  void pauseWorkflow(int workflow);

  void pauseEffect(int effect);

  void capEffect(int effect, int most);

  void enroll(String worker, int slots);

  /** The worker gets nothing more. */
  void drain(String worker);

  /**
   * The first has its locks when the second comes, which has to wait for them. Meanwhile somebody
   * looks round; then the first commits, and the second goes on.
   */
  <R> R meet(Function<Transaction, ?> first, Function<Transaction, R> second, Runnable meanwhile);
}
