package dev.millrace.engine.sim.bugs;

import dev.millrace.engine.command.CommandBatch;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobEvent;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.JobTerms;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.money.Hold;
import dev.millrace.engine.port.Changes;
import dev.millrace.engine.port.Transaction;
import dev.millrace.engine.sim.Bug;
import dev.millrace.engine.sim.Delegate;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Steps that the table does not have, or that lead elsewhere. */
final class LifeBugs {

  private static final Instant NEVER = Instant.parse("2999-01-01T00:00:00Z");

  static final List<Planted> ALL =
      List.of(
          new Planted(
              "cancel what is over",
              "a cancel overwrites a terminal job, and refunds it once more",
              () -> Plant.seen(Report.Cancel.class, (_, job) -> reopened(job))),
          new Planted(
              "cancel without asking the worker",
              "a running job is canceled at once, as if nobody held it",
              () ->
                  Plant.seen(
                      Report.Cancel.class,
                      (_, job) ->
                          job.state() == State.RUNNING
                              ? job.in(State.QUEUED, job.times(), null)
                              : job)),
          new Planted(
              "forget the wish to cancel",
              "a heartbeat makes a canceling job run on",
              () ->
                  Plant.seen(
                      Report.Heartbeat.class,
                      (_, job) ->
                          job.state() == State.CANCELING
                              ? job.in(State.RUNNING, job.times(), job.lease())
                              : job)),
          new Planted(
              "requeue what was canceled",
              "a worker that stopped because it was asked to gets the job back",
              () ->
                  Plant.seen(
                      Report.AcknowledgeCancel.class,
                      (_, job) ->
                          job.state() == State.CANCELING
                              ? job.in(State.RUNNING, job.times(), job.lease())
                              : job)),
          new Planted(
              "skip the review",
              "a result that a reviewer should see is given out at once",
              () -> Plant.ruled(Report.Complete.class, LifeBugs::unreviewed)),
          new Planted(
              "one failure more",
              "a job may fail once more than it may",
              () -> Plant.seen(Report.Fail.class, (_, job) -> HistoryBugs.capped(job, 1, 0))),
          new Planted(
              "interrupt for ever",
              "lost leases are counted against no cap",
              () ->
                  Plant.seen(Report.LoseLease.class, (_, job) -> HistoryBugs.capped(job, 0, 100))),
          new Planted(
              "count interruptions as failures",
              "a Spot notice uses up a try of the job's own",
              () ->
                  Plant.jobsWritten((edit, job) ->
                      edit.endedAs(job.id(), "requeued")
                              && job.tries().failures() < job.tries().maxFailures()
                          ? job.with(HistoryBugs.failures(job.tries(), job.tries().failures() + 1))
                          : job)),
          new Planted(
              "retry what is permanent",
              "a permanent error is tried again",
              () -> Plant.commands(Report.Fail.class, f -> of(f, Report.Fail.Kind.RETRYABLE))),
          new Planted(
              "run without a deadline",
              "the run's deadline is not stored, only that of the whole millennium",
              () ->
                  Plant.jobsWritten((_, job) ->
                      job.state() == State.RUNNING
                          ? job.in(job.state(), job.times().deadline(NEVER), job.lease())
                          : job)),
          new Planted(
              "take a way that is not there",
              "a retryable error leads straight back to the queue",
              () ->
                  Plant.written(edit -> {
                    edit.changed.replaceAll(LifeBugs::straight);
                    edit.events.replaceAll(LifeBugs::straight);
                  })),
          new Planted(
              "let both results count",
              "each report of a batch sees the job as it was before the batch",
              () -> Plant.eachAlone(Report.class)),
          new Planted(
              "find a foreign job", "a job's id is looked up without its tenant", Foreign::new));

  private LifeBugs() {}

  private static Job reopened(Job job) {
    return job.state().live()
        ? job
        : job.in(State.QUEUED, job.times().deadline(NEVER), null)
            .with(new Hold(job.hold().fundingSeq(), job.hold().amount(), true, 0));
  }

  private static JobTerms.Rules unreviewed(JobTerms.Rules r) {
    return new JobTerms.Rules(false, r.safetyRefund(), r.declineConsumes(), r.price());
  }

  static Job with(Job job, JobTerms.Rules rules) {
    JobTerms f = job.terms();
    return new Job(
        job.id(),
        new JobTerms(
            f.walletId(),
            f.effectId(),
            f.workflowId(),
            f.priority(),
            f.runSeconds(),
            f.queueSeconds(),
            rules),
        job.state(),
        new Job.History(job.events(), job.progress(), job.summary()),
        new Job.Work(job.tries(), job.lease(), job.delivered()),
        job.hold(),
        job.times(),
        new Job.Ending(job.failure(), job.afterEnd()));
  }

  private static Report.Fail of(Report.Fail f, Report.Fail.Kind kind) {
    return f.kind() == Report.Fail.Kind.PERMANENT
        ? Plant.fail(f, kind, f.retryAfter(), f.jitter())
        : f;
  }

  private static Job straight(Job job) {
    return job.state() == State.PENDING ? job.in(State.QUEUED, job.times(), null) : job;
  }

  private static JobEvent straight(JobEvent e) {
    return e.state() == State.PENDING && e.from() == State.RUNNING
        ? new JobEvent(
            e.job(),
            e.seq(),
            new JobEvent.Move(e.trigger(), e.from(), State.QUEUED),
            e.progress(),
            e.summary(),
            e.attempt(),
            e.at())
        : e;
  }

  /** Knows every job by its bare id. */
  private static final class Foreign implements Bug {
    private final Map<UUID, JobId> ids = new HashMap<>();

    @Override
    public Transaction around(Transaction transaction) {
      return new Delegate(transaction) {
        @Override
        public void write(Changes changes) {
          changes.created().forEach(row -> ids.put(row.job().id().uuid(), row.job().id()));
          super.write(changes);
        }
      };
    }

    @Override
    public <C, R> CommandBatch<C, R> around(CommandBatch<C, R> batch) {
      return Plant.commands(
              Report.Cancel.class,
              cancel -> new Report.Cancel(ids.getOrDefault(cancel.job().uuid(), cancel.job())))
          .around(batch);
    }
  }
}
