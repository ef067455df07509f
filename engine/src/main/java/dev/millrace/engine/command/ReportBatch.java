package dev.millrace.engine.command;

import dev.millrace.engine.command.Report.Result;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.port.Callback;
import dev.millrace.engine.port.Callback.Verdict;
import dev.millrace.engine.port.Row;
import dev.millrace.engine.port.Share;
import dev.millrace.engine.port.Transaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides a batch of reports: locks wallets, shares, jobs and callbacks in this order, then lets
 * each report speak.
 */
public final class ReportBatch implements CommandBatch<Report, Result> {

  private final Timings timings;

  public ReportBatch(Timings timings) {
    this.timings = timings;
  }

  /** What the reports of a batch need. */
  private static final class Needs {
    private final Set<JobId> jobs = new HashSet<>();
    private final Set<JobId> settling = new HashSet<>();
    private final Set<JobId> reviewed = new HashSet<>();
    private final Set<Share.Id> shares = new HashSet<>();
    private final Set<Callback.Id> callbacks = new HashSet<>();

    void add(Report report) {
      jobs.add(report.job());
      if (report.maySettle()) {
        settling.add(report.job());
      }
      if (report instanceof Report.Deciding deciding && deciding.cause() != null) {
        callbacks.add(deciding.cause());
      }
      if (report instanceof Report.Approve approve) {
        reviewed.add(approve.job());
        if (approve.followUp() != null) {
          queue(approve.followUp().terms().workflowId(), approve.job());
        }
      }
      if (report instanceof Report.Decline || report instanceof Report.ReviewItems) {
        reviewed.add(report.job());
      }
      if (report instanceof Report.Promote promote) {
        queue(promote.workflowId(), promote.job());
      }
      if (report instanceof Report.Reroute reroute) {
        queue(reroute.to(), reroute.job());
      }
      if (report instanceof Report.RetryInPlace retry) {
        queue(retry.workflowId(), retry.job());
      }
    }

    private void queue(int workflowId, JobId job) {
      shares.add(new Share.Id(workflowId, job.tenant()));
    }

    Set<Row> rows() {
      Set<Row> rows = new HashSet<>();
      jobs.forEach(job -> rows.add(new Row.OfJob(job)));
      settling.forEach(job -> rows.add(new Row.OfPayer(job)));
      shares.forEach(share -> rows.add(new Row.OfShare(share)));
      callbacks.forEach(callback -> rows.add(new Row.OfCallback(callback)));
      return rows;
    }
  }

  @Override
  public Set<Row> needs(Report report) {
    Needs needs = new Needs();
    needs.add(report);
    return needs.rows();
  }

  @Override
  public Decided<Result> decide(Transaction tx, List<Report> reports) {
    Needs needs = new Needs();
    reports.forEach(needs::add);
    Transaction.Held held = tx.hold(needs.settling, needs.shares, needs.jobs);
    Map<JobId, List<Transaction.Item>> outputs =
        needs.reviewed.isEmpty() ? Map.of() : tx.outputsOf(needs.reviewed);
    Map<Callback.Id, Callback> callbacks =
        needs.callbacks.isEmpty() ? Map.of() : tx.lockCallbacks(needs.callbacks);
    WorkingSet set = new WorkingSet(tx.now());
    held.wallets().values().forEach(set::know);
    held.jobs().values().forEach(set::know);
    callbacks.values().forEach(set::know);
    Creation creation = new Creation(set, held.shares());
    Transitions moves = new Transitions(set);
    Speakers speakers =
        new Speakers(
            set,
            new WorkReports(set, moves, timings, creation),
            new Handover(set, moves, timings),
            new ReviewReports(set, moves, creation, new HashMap<>(outputs)),
            new EndedJobReports(set, creation));
    List<Result> results = new ArrayList<>(reports.size());
    for (Report report : reports) {
      results.add(speakers.hear(report));
    }
    return new Decided<>(set.changes(), results);
  }

  /** Who decides which report. */
  private record Speakers(
      WorkingSet set,
      WorkReports reporting,
      Handover handover,
      ReviewReports judging,
      EndedJobReports after) {

    Result hear(Report report) {
      if (report instanceof Report.Deciding deciding && deciding.cause() != null) {
        return hearCallback(deciding, deciding.cause());
      }
      return decide(report);
    }

    /** The callback is judged together with what it says, or not at all. */
    private Result hearCallback(Report.Deciding report, Callback.Id cause) {
      Callback callback = set.callback(cause).orElse(null);
      if (callback == null || !callback.waiting()) {
        return new Result.Repeated();
      }
      Result result = decide(report);
      boolean applied = result instanceof Result.Done;
      set.judge(callback.as(applied ? Verdict.APPLIED : Verdict.LATE), report.job());
      return result;
    }

    private Result decide(Report report) {
      Job job = set.job(report.job()).orElse(null);
      if (job == null || job.afterEnd().deleted()) {
        return new Result.Missing();
      }
      if (report instanceof Report.ByLease byLease && !job.leasedBy(byLease.token(), set.now())) {
        return new Result.StaleLease();
      }
      return switch (report) {
        case Report.Heartbeat heartbeat -> reporting.heartbeat(job, heartbeat);
        case Report.Complete complete -> reporting.complete(job, complete);
        case Report.Fail fail -> reporting.fail(job, fail);
        case Report.Requeue requeue -> reporting.requeue(job, requeue);
        case Report.AcknowledgeCancel _ -> reporting.acknowledgeCancel(job);
        case Report.Intend intend -> handover.intend(job, intend);
        case Report.Unconfirmed unconfirmed -> handover.unconfirmed(job, unconfirmed);
        case Report.Accept accept -> handover.accept(job, accept);
        case Report.Made _ -> handover.made(job);
        case Report.Cancel cancel -> reporting.cancel(job, cancel);
        case Report.LoseLease lost -> reporting.loseLease(job, lost);
        case Report.MissDeadline _ -> reporting.missDeadline(job);
        case Report.Promote _ -> reporting.promote(job);
        case Report.Reroute reroute -> reporting.reroute(job, reroute);
        case Report.ReviewItems items -> judging.review(job, items);
        case Report.Approve approve -> judging.approve(job, approve);
        case Report.Decline decline -> judging.decline(job, decline);
        case Report.RejectByPolicy reject -> judging.rejectByPolicy(job, reject);
        case Report.Overturn overturn -> after.overturn(job, overturn);
        case Report.RetryInPlace retry -> after.retry(job, retry);
        case Report.Delete delete -> after.delete(job, delete);
      };
    }
  }
}
