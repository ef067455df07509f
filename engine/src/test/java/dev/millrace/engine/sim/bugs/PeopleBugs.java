package dev.millrace.engine.sim.bugs;

import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.command.SubmitMany;
import dev.millrace.engine.job.AfterEnd;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.JobTerms;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.money.Hold;
import dev.millrace.engine.money.LedgerLine;
import dev.millrace.engine.money.LedgerType;
import dev.millrace.engine.money.QuotaUse;
import dev.millrace.engine.port.Changes;
import dev.millrace.engine.sim.Delegate;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What reviewers, moderators, administrators and quotas decide, and is done otherwise. */
final class PeopleBugs {

  private static final Instant NEVER = Instant.parse("2999-01-01T00:00:00Z");

  static final List<Planted> ALL =
      List.of(
          new Planted(
              "overturn twice",
              "a rejection that is taken back again pays again",
              () -> Plant.seen(Report.Overturn.class, (_, job) -> job.with(AfterEnd.NONE))),
          new Planted(
              "approve twice",
              "a result that was let through is settled once more",
              () -> Plant.seen(Report.Approve.class, (_, job) -> inReview(job))),
          new Planted(
              "show what was declined",
              "items that the reviewer left out are not withheld",
              () -> Plant.written(edit -> edit.withheld.clear())),
          new Planted(
              "decline and keep",
              "a declined result is paid for although the effect does not say so",
              () -> Plant.ruled(Report.Decline.class, PeopleBugs::consuming)),
          new Planted(
              "follow up unpaid",
              "the job that goes on with an approved result reserves nothing",
              () -> Plant.written(PeopleBugs::unpaid)),
          new Planted(
              "retry in place for free",
              "a retried job goes on without a new hold in the ledger",
              () ->
                  Plant.written(edit ->
                      edit.lines(LedgerType.JOB_RESERVE).stream()
                          .filter(line -> line.fundingSeq() > 1)
                          .forEach(edit::unpay))),
          new Planted(
              "retry on the old funding",
              "a retry in place books on the funding that was settled",
              () -> Plant.written(edit -> edit.ledger.replaceAll(PeopleBugs::firstFunding))),
          new Planted(
              "retry at the old place",
              "a retried job keeps its place at the head of the queue",
              () -> Plant.written(edit -> edit.placed.clear())),
          new Planted(
              "reject what has begun",
              "a moderator ends a running job as if it had not started",
              () ->
                  Plant.seen(
                      Report.RejectByPolicy.class,
                      (_, job) ->
                          job.state() == State.RUNNING
                              ? job.in(State.QUEUED, job.times(), null)
                              : job)),
          new Planted(
              "speak to the deleted",
              "a deleted job still answers",
              () -> Plant.seen(Report.Delete.class, (_, job) -> job.with(AfterEnd.NONE))),
          new Planted(
              "bring the deleted back",
              "a deleted job is retried in place",
              () -> Plant.seen(Report.RetryInPlace.class, (_, job) -> job.with(AfterEnd.NONE))),
          new Planted(
              "let the denied through",
              "what a gate said is not heard",
              () -> Plant.commands(SubmitJob.class, o -> with(o, o.limits(), null))),
          new Planted(
              "ignore the cap on live jobs",
              "a user may have as many jobs as they like",
              () ->
                  Plant.commands(
                      SubmitJob.class, o -> with(o, QuotaUse.Limits.UNLIMITED, o.denial()))),
          new Planted(
              "count no live jobs",
              "a wallet's count of live jobs is not stored",
              () ->
                  Plant.written(edit ->
                      edit.wallets.replaceAll(w -> {
                        QuotaUse u = w.usage();
                        return w.with(new QuotaUse(0, u.day(), u.today(), u.limits()));
                      }))),
          new Planted(
              "count a day for ever",
              "the count of a day's jobs is not begun anew with the next day",
              () ->
                  Plant.written(edit ->
                      edit.wallets.replaceAll(w -> {
                        QuotaUse u = w.usage();
                        return w.with(new QuotaUse(u.active(), 0, u.today(), u.limits()));
                      }))),
          new Planted(
              "half of an atomic batch",
              "all or nothing is taken for as many as possible",
              () ->
                  Plant.commands(
                      SubmitMany.class,
                      m ->
                          new SubmitMany(
                              m.id(), m.owner(), m.key(), m.fingerprint(), false, m.jobs()))),
          new Planted(
              "ignore the key of a batch",
              "a repeated batch is decided anew",
              () ->
                  Plant.transaction(tx ->
                      new Delegate(tx) {
                        @Override
                        public Optional<BatchUse> findBatch(long walletId, String key) {
                          return Optional.empty();
                        }
                      })),
          new Planted(
              "forget the same request",
              "the derived key is not looked up",
              () ->
                  Plant.transaction(tx ->
                      new Delegate(tx) {
                        @Override
                        public Map<Recent, JobId> findRecent(Set<Recent> scopes) {
                          return Map.of();
                        }
                      })),
          new Planted(
              "sell time and give it away",
              "a canceled job that is paid by the second costs nothing",
              () -> Plant.ruled(Report.AcknowledgeCancel.class, MoneyBugs::flat)));

  private PeopleBugs() {}

  private static Job inReview(Job job) {
    return job.state() == State.COMPLETED
        ? job.in(State.WAITING_REVIEW, job.times().deadline(NEVER), null)
            .with(new Hold(job.hold().fundingSeq(), job.hold().amount(), true, 0))
        : job;
  }

  private static JobTerms.Rules consuming(JobTerms.Rules r) {
    return new JobTerms.Rules(r.review(), r.safetyRefund(), true, r.price());
  }

  private static void unpaid(Edit edit) {
    for (Changes.NewJob row : edit.created) {
      if (row.links().follows() != null) {
        edit.lines(LedgerType.JOB_RESERVE).stream()
            .filter(line -> row.job().id().uuid().equals(line.job()))
            .forEach(edit::unpay);
      }
    }
  }

  private static LedgerLine firstFunding(LedgerLine line) {
    return line.fundingSeq() < 2
        ? line
        : new LedgerLine(
            line.walletId(),
            line.type(),
            line.amount(),
            line.captured(),
            line.balanceAfter(),
            new LedgerLine.Funding(Objects.requireNonNull(line.job()), 1),
            line.key(),
            line.note());
  }

  private static SubmitJob with(
      SubmitJob o, QuotaUse.Limits limits, SubmitJob.@Nullable Denial denial) {
    return new SubmitJob(
        o.id(),
        o.owner(),
        o.terms(),
        o.identity(),
        new SubmitJob.Request(o.input(), o.priority(), o.runAt(), o.links()),
        limits,
        denial);
  }
}
