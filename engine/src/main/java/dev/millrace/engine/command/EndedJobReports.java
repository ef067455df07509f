package dev.millrace.engine.command;

import dev.millrace.engine.command.Report.Result;
import dev.millrace.engine.command.WorkingSet.Target;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.Progress;
import dev.millrace.engine.job.Summary;
import dev.millrace.engine.lifecycle.Lifecycle;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.lifecycle.Trigger;
import dev.millrace.engine.money.LedgerType;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Share;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/** What may still happen to a job that is over. Its evidence stays as it is. */
record EndedJobReports(WorkingSet set, Creation creation) {

  /** What the review of a result said, which is not the next result's. */
  private static final Summary FORGOTTEN =
      new Summary(
          new TreeMap<>(
              Map.of(
                  "items",
                  Summary.REMOVE,
                  "remaining",
                  Summary.REMOVE,
                  "approved",
                  Summary.REMOVE,
                  "declined",
                  Summary.REMOVE,
                  ReviewReports.REASONS,
                  Summary.REMOVE)));

  /**
   * Goes on with a job that ended badly: a new hold of the same size, new tries on top of those
   * that were used, and a new place in the queue.
   */
  Result retry(Job job, Report.RetryInPlace retry) {
    if (Lifecycle.edge(job.state(), Trigger.RETRY_IN_PLACE, State.PENDING).isEmpty()
        || retry.workflowId() != job.terms().workflowId()) {
      return new Result.Denied(job.state(), Trigger.RETRY_IN_PLACE);
    }
    long cost = job.hold().amount();
    Wallet wallet = set.wallet(job.terms().walletId());
    if (!wallet.covers(cost)) {
      return new Result.InsufficientCredits(cost, wallet.balance());
    }
    Instant now = set.now();
    Job ready =
        job.with(job.tries().granted(retry.maxFailures(), retry.maxInterruptions()))
            .delivering(0)
            .with(job.summary().merge(FORGOTTEN))
            .with(new Progress(0, null, "Retried by an administrator"))
            .failing(null);
    Job pending =
        set.revive(
            ready,
            new Target(
                State.PENDING,
                job.times().revived(now, now.plusSeconds(job.terms().queueSeconds())),
                null),
            creation.place(new Share.Id(job.terms().workflowId(), job.id().tenant()), cost));
    set.audit(job, retry.actor(), "job.retry", Map.of("credits", "" + cost));
    Job queued =
        set.move(
                pending.with(new Progress(0, null, "Waiting for a worker")),
                Trigger.DUE,
                new Target(State.QUEUED, pending.times(), null))
            .orElseThrow(() -> new IllegalStateException("a pending job can be due"));
    return new Result.Done(queued);
  }

  /** The rejection stays in the history; what it took is given back, once. */
  Result overturn(Job job, Report.Overturn overturn) {
    if (job.state() != State.REJECTED) {
      return new Result.NotNow(job.state());
    }
    if (job.afterEnd().overturned()) {
      return new Result.Done(job);
    }
    long amount = job.hold().captured();
    if (amount > 0) {
      set.book(
          set.wallet(job.terms().walletId())
              .book(
                  LedgerType.ADJUSTMENT,
                  amount,
                  TopUp.OVERTURN + job.id().uuid(),
                  "Rejection overturned"));
    }
    set.audit(
        job,
        overturn.actor(),
        "job.overturn",
        Map.of("reason", overturn.reason(), "credits", "" + amount));
    return new Result.Done(set.touch(job.with(job.afterEnd().overturned(set.at(job)))));
  }

  Result delete(Job job, Report.Delete delete) {
    if (job.state().live()) {
      return new Result.NotNow(job.state());
    }
    set.audit(job, delete.actor(), "job.delete", Map.of());
    return new Result.Done(set.touch(job.with(job.afterEnd().deleted(set.at(job)))));
  }
}
