package dev.millrace.engine.sim;

import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.memory.StepByStep;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Callback;
import dev.millrace.engine.port.Changes;
import dev.millrace.engine.port.Row;
import dev.millrace.engine.port.Share;
import dev.millrace.engine.port.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.function.Supplier;

/** A transaction that passes every call on; whoever wants to meddle overrides. */
public class Delegate implements StepByStep {

  private final Transaction inner;

  public Delegate(Transaction inner) {
    this.inner = inner;
  }

  /** Around every call. */
  protected <R> R call(String name, Supplier<R> port) {
    return port.get();
  }

  private StepByStep steps() {
    return (StepByStep) inner;
  }

  @Override
  public Opened open(Opening wanted) {
    return inner instanceof StepByStep
        ? StepByStep.super.open(wanted)
        : call("open", () -> inner.open(wanted));
  }

  @Override
  public Held hold(Set<JobId> settled, Set<Share.Id> shares, Set<JobId> jobs) {
    return inner instanceof StepByStep
        ? StepByStep.super.hold(settled, shares, jobs)
        : call("hold", () -> inner.hold(settled, shares, jobs));
  }

  @Override
  public Offered offer(SortedSet<String> workers, SortedMap<Integer, Integer> limits) {
    return inner instanceof StepByStep
        ? StepByStep.super.offer(workers, limits)
        : call("offer", () -> inner.offer(workers, limits));
  }

  @Override
  public Map<Wallet.Owner, Wallet> lockWallets(Set<Wallet.Owner> owners) {
    return call("lockWallets", () -> inner.lockWallets(owners));
  }

  @Override
  public Map<Long, Wallet> lockWalletsOf(Set<JobId> jobs) {
    return call("lockWalletsOf", () -> steps().lockWalletsOf(jobs));
  }

  @Override
  public Map<KeyScope, KeyUse> findKeys(Set<KeyScope> keys) {
    return call("findKeys", () -> steps().findKeys(keys));
  }

  @Override
  public OptionalLong payment(long walletId, String key) {
    return call("payment", () -> inner.payment(walletId, key));
  }

  @Override
  public Map<Recent, JobId> findRecent(Set<Recent> scopes) {
    return call("findRecent", () -> steps().findRecent(scopes));
  }

  @Override
  public Optional<BatchUse> findBatch(long walletId, String key) {
    return call("findBatch", () -> inner.findBatch(walletId, key));
  }

  @Override
  public Map<JobId, List<Item>> outputsOf(Set<JobId> ids) {
    return call("outputsOf", () -> inner.outputsOf(ids));
  }

  @Override
  public Map<Callback.Id, Callback> lockCallbacks(Set<Callback.Id> ids) {
    return call("lockCallbacks", () -> inner.lockCallbacks(ids));
  }

  @Override
  public Map<Share.Id, Share> lockShares(Set<Share.Id> keys) {
    return call("lockShares", () -> steps().lockShares(keys));
  }

  @Override
  public Map<JobId, Job> lockJobs(Set<JobId> ids) {
    return call("lockJobs", () -> inner.lockJobs(ids));
  }

  @Override
  public Map<String, Integer> lockSlots(SortedSet<String> workers) {
    return call("lockSlots", () -> steps().lockSlots(workers));
  }

  @Override
  public Caps caps() {
    return call("caps", () -> steps().caps());
  }

  @Override
  public List<Claim> claim(SortedMap<Integer, Integer> limits, Full full) {
    return call("claim", () -> inner.claim(limits, full));
  }

  @Override
  public Set<Row> lockFree(Set<Row> rows) {
    return call("lockFree", () -> inner.lockFree(rows));
  }

  @Override
  public Instant now() {
    return call("now", inner::now);
  }

  @Override
  public void write(Changes changes) {
    call(
        "write",
        () -> {
          inner.write(changes);
          return changes;
        });
  }
}
