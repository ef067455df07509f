package dev.millrace.engine.command;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.WorkingSet.Target;
import dev.millrace.engine.job.Attempt;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.Lease;
import dev.millrace.engine.job.Progress;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.lifecycle.Trigger;
import dev.millrace.engine.port.Row;
import dev.millrace.engine.port.Transaction;
import dev.millrace.engine.port.Transaction.Claim;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.UUID;
import java.util.function.Supplier;

/** Gives waiting jobs to the workers that asked, best job first, in turns between the workers. */
public final class LeaseBatch implements CommandBatch<LeaseJobs, List<Leased>> {

  /** Each round finds a cap that was reached; nobody sets so many that one batch meets them. */
  private static final int MOST_ROUNDS = 16;

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

  /** A job, and which of the commands gets it. */
  private record AskerClaim(int asker, Claim claim) {}

  @Override
  public Decided<List<Leased>> decide(Transaction tx, List<LeaseJobs> commands) {
    List<AskerClaim> taken = take(tx, new LeaseRequests(commands));
    WorkingSet set = new WorkingSet(tx.now());
    List<List<Leased>> results = new ArrayList<>();
    commands.forEach(_ -> results.add(new ArrayList<>()));
    for (AskerClaim each : taken) {
      String worker = commands.get(each.asker()).worker();
      results.get(each.asker()).add(lease(set, worker, each.claim()));
    }
    return new Decided<>(set.changes(), results);
  }

  @Override
  public Set<Row> needs(LeaseJobs command) {
    return command.enrolled()
        ? Set.of(new Row.OfCaps(), new Row.OfWorker(command.worker()))
        : Set.of(new Row.OfCaps());
  }

  /**
   * Hands the best jobs out. Where a cap is reached on the way, what was claimed beyond it is let
   * go, and the rest is claimed again past those whose cap it was: they must not keep others from
   * starting. What was taken is claimed again with it, because the store still has it as queued.
   */
  private static List<AskerClaim> take(Transaction tx, LeaseRequests askers) {
    Transaction.Offered offered = askers.ask(tx);
    CapRoom room = new CapRoom(offered.caps());
    List<Claim> claims = offered.claims();
    List<AskerClaim> taken = new ArrayList<>();
    Set<JobId> seen = new HashSet<>();
    for (int round = 0; round < MOST_ROUNDS; round++) {
      boolean passedOver = false;
      for (Claim claim : claims) {
        if (!seen.add(claim.job().id())) {
          continue;
        }
        if (!room.takes(claim.job())) {
          passedOver = true;
          continue;
        }
        int asker = askers.next(claim.job().terms().workflowId());
        if (asker >= 0) {
          askers.give(asker);
          room.take(claim.job());
          taken.add(new AskerClaim(asker, claim));
        }
      }
      SortedMap<Integer, Integer> limits = askers.limits();
      if (!passedOver || limits.isEmpty()) {
        break;
      }
      for (AskerClaim each : taken) {
        limits.computeIfPresent(each.claim().job().terms().workflowId(), (_, most) -> most + 1);
      }
      claims = tx.claim(limits, room.full());
    }
    return taken;
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
                        .started(set.at(waiting), now.plusSeconds(waiting.terms().runSeconds())),
                    new Lease(token, worker, now.plus(timings.lease()))))
            .orElseThrow(() -> new IllegalStateException("claimed a job in " + waiting.state()));
    set.note(new Attempt.Begun(job.id(), number, token, worker, set.at(waiting)));
    set.served(waiting.terms().workflowId(), claim.virtualStart());
    return new Leased(job, token, claim.input());
  }
}
