package dev.millrace.engine.command;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.WorkingSet.Target;
import dev.millrace.engine.job.Attempt;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.Lease;
import dev.millrace.engine.job.Progress;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.lifecycle.Trigger;
import dev.millrace.engine.port.Transaction;
import dev.millrace.engine.port.Transaction.Claim;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/** Gives waiting jobs to the workers that asked, best job first, in turns between the workers. */
public final class LeaseBatch implements Batch<LeaseJobs, List<Leased>> {

  private final Timings timings;
  private final Supplier<UUID> tokens;

  /**
   * Makes the batch.
   *
   * @param tokens makes tokens that nobody can guess
   */
  public LeaseBatch(Timings timings, Supplier<UUID> tokens) {
    this.timings = timings;
    this.tokens = tokens;
  }

  @Override
  public Decided<List<Leased>> decide(Transaction tx, List<LeaseJobs> commands) {
    Askers askers = Askers.of(tx, commands);
    List<Claim> claims = tx.claim(askers.limits());
    WorkingSet set = new WorkingSet(tx.now());
    for (Claim claim : claims) {
      int taker = askers.next(claim.job().facts().workflowId());
      if (taker >= 0) {
        askers.give(taker, lease(set, commands.get(taker).worker(), claim));
      }
    }
    return new Decided<>(set.changes(), askers.results());
  }

  private Leased lease(WorkingSet set, String worker, Claim claim) {
    Instant now = set.now();
    Job waiting = claim.job();
    UUID token = tokens.get();
    int number = waiting.tries().attempts() + 1;
    Job started =
        waiting
            .with(waiting.tries().started())
            .with(new Progress(0, "started", "Attempt " + number + " started"))
            .failing(null);
    Job job =
        set.move(
                started,
                Trigger.LEASE,
                new Target(
                    State.RUNNING,
                    waiting
                        .times()
                        .started(set.at(waiting), now.plusSeconds(waiting.facts().runSeconds())),
                    new Lease(token, worker, now.plus(timings.lease())),
                    0))
            .orElseThrow(() -> new IllegalStateException("claimed a job in " + waiting.state()));
    set.note(new Attempt.Begun(job.id(), number, token, worker, set.at(waiting)));
    set.served(waiting.facts().workflowId(), claim.virtualStart());
    return new Leased(job, token, claim.input());
  }
}
