package dev.millrace.service.fleet;

import dev.millrace.postgres.fleet.WorkerView;
import dev.millrace.postgres.fleet.Workers;
import dev.millrace.postgres.fleet.Workers.Change;
import dev.millrace.service.duties.Reaper;
import java.util.List;
import java.util.Optional;

/** Lets workers go, and gives what they held to others at once. */
public final class WorkerRemoval {

  private final Workers workers;
  private final Reaper reaper;
  private final WorkerTokens tokens;
  private final Enrolment enrolment;

  WorkerRemoval(Workers workers, Reaper reaper, WorkerTokens tokens, Enrolment enrolment) {
    this.workers = workers;
    this.reaper = reaper;
    this.tokens = tokens;
    this.enrolment = enrolment;
  }

  /**
   * Its token is dead, its polls end, its jobs go back to their queues. Whoever is leasing for it
   * just now is either before this, and its jobs are among those, or finds that it may not.
   */
  public Optional<WorkerView> revoke(String id) throws InterruptedException {
    Optional<WorkerView> revoked = workers.change(id, Change.REVOKE);
    if (revoked.isPresent()) {
      tokens.forget(List.of(revoked.get().uid()));
      reaper.giveUp(id);
    }
    return revoked;
  }

  /** Forgets a worker; its name is free then. Says whether it was still there. */
  public boolean remove(WorkerView worker) throws InterruptedException {
    // Revoked first, so that nothing is leased to it between its jobs' return and its end.
    workers.change(worker.id(), Change.REVOKE);
    reaper.giveUp(worker.id());
    boolean gone = workers.delete(worker);
    tokens.forget(List.of(worker.uid()));
    return gone;
  }

  /** A worker leaves by itself. */
  public void deregister(WorkerView worker) throws InterruptedException {
    if (remove(worker)) {
      enrolment.note(worker, "worker.deregister");
    }
  }
}
