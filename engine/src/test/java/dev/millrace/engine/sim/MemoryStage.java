package dev.millrace.engine.sim;

import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.memory.Busy;
import dev.millrace.engine.memory.MemoryStore;
import dev.millrace.engine.memory.MemoryTables;
import dev.millrace.engine.memory.Watch;
import dev.millrace.engine.port.Callback;
import dev.millrace.engine.port.Changes;
import dev.millrace.engine.port.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A stage in memory, where the laws are checked after each commit. */
final class MemoryStage implements Stage {

  private final MemoryStore memory = new MemoryStore(this::watch);
  private final Watch watch = new Watch(memory.tables());
  private final FaultyStore store;

  MemoryStage(Faults faults) {
    this.store = new FaultyStore(memory, faults);
  }

  private void watch(Changes changes) {
    watch.committed(changes);
  }

  @Override
  public Store store() {
    return store;
  }

  @Override
  public boolean committed() {
    return store.committed();
  }

  @Override
  public boolean busy(RuntimeException failure) {
    return failure instanceof Busy;
  }

  @Override
  public boolean holdByStranger(Object row) {
    return memory.holdByStranger(row);
  }

  @Override
  public void releaseByStranger(Object row) {
    memory.releaseByStranger(row);
  }

  @Override
  public void cap(int perTenant, Map<Integer, Integer> perEffect) {
    memory.tables().tenantCap = perTenant;
    memory.tables().effectCaps.putAll(perEffect);
  }

  @Override
  public Instant now() {
    return memory.now();
  }

  @Override
  public void setNow(Instant now) {
    memory.setNow(now);
  }

  @Override
  public List<Report> suspects() {
    List<Report> found = new ArrayList<>();
    for (Job job : memory.tables().jobs.values()) {
      Instant deadline = job.times().deadlineAt();
      if (job.state() == State.PENDING && !now().isBefore(job.times().dueAt())) {
        found.add(new Report.Promote(job.id(), job.terms().workflowId()));
      }
      if (job.lease() != null && !now().isBefore(job.lease().expiresAt())) {
        found.add(new Report.LoseLease(job.id(), job.lease().token(), false));
      }
      if (deadline != null && !now().isBefore(deadline)) {
        found.add(new Report.MissDeadline(job.id()));
      }
    }
    return found;
  }

  @Override
  public List<WaitingCallback> waitingCallbacks() {
    MemoryTables tables = memory.tables();
    List<WaitingCallback> waiting = new ArrayList<>();
    for (Callback callback : tables.inbox.values()) {
      if (callback.waiting()) {
        waiting.add(
            tables.accepted.stream()
                .filter(attempt -> attempt.reference().equals(callback.reference()))
                .findFirst()
                .map(attempt ->
                    new WaitingCallback(
                        callback.id(),
                        attempt.job(),
                        tables.begunOf(attempt.job()).get(attempt.number() - 1).token()))
                .orElseGet(() -> new WaitingCallback(callback.id(), null, null)));
      }
    }
    return waiting;
  }

  @Override
  public MemoryTables look() {
    return memory.tables();
  }

  @Override
  public boolean cheapToLook() {
    return true;
  }

  @Override
  public void checkSwept() {
    watch.swept(now());
  }

  @Override
  public void checkEverything() {
    watch.everything();
  }
}
