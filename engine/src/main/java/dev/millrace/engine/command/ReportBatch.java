package dev.millrace.engine.command;

import dev.millrace.engine.command.Report.Result;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.port.Transaction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Decides a batch of reports: locks first wallets, then jobs, then lets each report speak. */
public final class ReportBatch implements Batch<Report, Result> {

  private final Timings timings;

  public ReportBatch(Timings timings) {
    this.timings = timings;
  }

  @Override
  public Decided<Result> decide(Transaction tx, List<Report> reports) {
    Set<JobId> settling = new HashSet<>();
    Set<JobId> all = new HashSet<>();
    for (Report report : reports) {
      all.add(report.job());
      if (maySettle(report)) {
        settling.add(report.job());
      }
    }
    var wallets = settling.isEmpty() ? null : tx.lockWalletsOf(settling);
    var jobs = tx.lockJobs(all);
    WorkingSet set = new WorkingSet(tx.now());
    if (wallets != null) {
      wallets.values().forEach(set::know);
    }
    jobs.values().forEach(set::know);
    Reporting reporting = new Reporting(set, timings);
    List<Result> results = new ArrayList<>(reports.size());
    for (Report report : reports) {
      results.add(decide(reporting, set, report));
    }
    return new Decided<>(set.changes(), results);
  }

  private static Result decide(Reporting reporting, WorkingSet set, Report report) {
    Job job = set.job(report.job()).orElse(null);
    if (job == null) {
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
      case Report.Cancel _ -> reporting.cancel(job);
      case Report.LoseLease lost -> reporting.loseLease(job, lost);
      case Report.MissDeadline _ -> reporting.missDeadline(job);
      case Report.Promote _ -> reporting.promote(job);
    };
  }

  private static boolean maySettle(Report report) {
    return switch (report) {
      case Report.Heartbeat _, Report.Promote _ -> false;
      case Report.Complete _,
          Report.Fail _,
          Report.Requeue _,
          Report.AcknowledgeCancel _,
          Report.Cancel _,
          Report.LoseLease _,
          Report.MissDeadline _ ->
          true;
    };
  }
}
