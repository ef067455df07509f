package dev.millrace.engine.sim.bugs;

import dev.millrace.engine.command.CommandBatch;
import dev.millrace.engine.command.LeaseBatch;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.Lease;
import dev.millrace.engine.sim.Bug;
import dev.millrace.engine.sim.Catalogue;
import dev.millrace.engine.sim.Delegate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** Leases that are not checked, or checked too little. */
final class FenceBugs {

  private static final Instant NEVER = Instant.parse("2999-01-01T00:00:00Z");
  private static final Instant LONG_AGO = Instant.EPOCH;

  static final List<Planted> ALL =
      List.of(
          new Planted(
              "skip the fence",
              "a report counts whatever token it carries, if only the job is leased",
              () -> Plant.seen(Report.ByLease.class, FenceBugs::withTheTokenOf)),
          new Planted(
              "accept an expired lease",
              "the token is compared, the time is not",
              () -> Plant.seen(Report.ByLease.class, (_, job) -> leased(job, l -> l.until(NEVER)))),
          new Planted(
              "revive a lost lease",
              "a heartbeat extends a lease that has ended, as long as nobody noticed",
              () ->
                  Plant.seen(Report.Heartbeat.class, (_, job) -> leased(job, l -> l.until(NEVER)))),
          new Planted(
              "forget the reaper's recheck",
              "a lease that seemed lost is ended without looking again",
              () ->
                  Plant.commands(
                      Report.LoseLease.class,
                      lost -> new Report.LoseLease(lost.job(), lost.token(), true))),
          new Planted(
              "reap the newer lease",
              "the reaper compares no token, so it ends whoever holds the job now",
              () ->
                  Plant.seen(
                      Report.LoseLease.class,
                      (lost, job) ->
                          leased(
                              job,
                              l ->
                                  new Lease(
                                      lost.token(), l.worker(), l.expiresAt(), l.provider())))),
          new Planted(
              "forget to recheck the deadline",
              "a job that seemed late expires, although it moved on meanwhile",
              () -> Plant.seen(Report.MissDeadline.class, (_, job) -> late(job))),
          new Planted(
              "promote without a look at the clock",
              "a pending job is queued before it is due",
              () -> Plant.seen(Report.Promote.class, (_, job) -> due(job))),
          new Planted(
              "do not extend the lease",
              "a heartbeat is answered, but the new end of the lease is not stored",
              () ->
                  Plant.written(edit ->
                      edit.changed.removeIf(
                          job -> edit.events.stream().noneMatch(e -> e.job().equals(job.id()))))),
          new Planted("one token for all", "every lease gets the same token", FenceBugs::oneToken),
          new Planted(
              "trust the application's clock",
              "the node's clock is late by 45 seconds and decides",
              () ->
                  Plant.transaction(tx ->
                      new Delegate(tx) {
                        @Override
                        public Instant now() {
                          return super.now().minus(Duration.ofSeconds(45));
                        }
                      })),
          new Planted(
              "tell the stale that all is well",
              "a worker without a live lease is told that its report counted",
              FenceBugs::flatterer));

  private FenceBugs() {}

  private static Job leased(Job job, UnaryOperator<Lease> change) {
    return job.lease() == null ? job : job.leased(change.apply(job.lease()));
  }

  private static Job withTheTokenOf(Report.ByLease report, Job job) {
    return leased(job, lease -> new Lease(report.token(), lease.worker(), NEVER, lease.provider()));
  }

  private static Job late(Job job) {
    return job.state().terminal()
        ? job
        : job.in(job.state(), job.times().deadline(LONG_AGO), job.lease());
  }

  private static Job due(Job job) {
    Instant deadline = job.times().deadlineAt();
    return deadline == null
        ? job
        : job.in(job.state(), job.times().due(LONG_AGO, deadline), job.lease());
  }

  private static Bug oneToken() {
    UUID token = new UUID(1, 1);
    return new Bug() {
      @Override
      @SuppressWarnings("unchecked") // A lease batch for a lease batch.
      public <C, R> CommandBatch<C, R> around(CommandBatch<C, R> batch) {
        return batch instanceof LeaseBatch
            ? (CommandBatch<C, R>) new LeaseBatch(Catalogue.TIMINGS, () -> token)
            : batch;
      }
    };
  }

  private static Bug flatterer() {
    return new Bug() {
      @Override
      @SuppressWarnings("unchecked") // A report's answer for a report's answer.
      public <C, R> CommandBatch<C, R> around(CommandBatch<C, R> batch) {
        return (tx, commands) -> {
          Remembering rows = new Remembering(tx);
          CommandBatch.Decided<R> decided = batch.decide(rows, commands);
          List<R> results = new ArrayList<>(decided.results());
          for (int i = 0; i < results.size(); i++) {
            if (results.get(i) instanceof Report.Result.StaleLease
                && commands.get(i) instanceof Report report) {
              Job job = rows.lockJobs(Set.of()).get(report.job());
              results.set(i, job == null ? results.get(i) : (R) new Report.Result.Done(job));
            }
          }
          return new CommandBatch.Decided<>(decided.changes(), results);
        };
      }
    };
  }
}
