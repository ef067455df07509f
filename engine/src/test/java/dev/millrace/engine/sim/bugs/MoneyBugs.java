package dev.millrace.engine.sim.bugs;

import dev.millrace.engine.command.CommandBatch;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobTerms;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.money.LedgerLine;
import dev.millrace.engine.money.LedgerType;
import dev.millrace.engine.money.Price;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.sim.Bug;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;

/** Holds that are taken, kept or given back wrongly. */
final class MoneyBugs {

  static final List<Planted> ALL =
      List.of(
          new Planted(
              "debit before the conflict check",
              "a repeated submit takes the credits before it finds its key used",
              MoneyBugs::debitFirst),
          new Planted(
              "refund twice",
              "every refund is booked two times",
              () -> Plant.written(edit -> edit.lines(LedgerType.JOB_REFUND).forEach(edit::pay))),
          new Planted(
              "refund at the cancel and at its end",
              "a cancel gives the credits back at once, the acknowledgement once more",
              () -> Plant.written(MoneyBugs::refundCanceling)),
          new Planted(
              "no refund for the dead",
              "a job whose tries are used up keeps the credits",
              () -> Plant.written(edit -> keep(edit, State.DEAD_LETTER))),
          new Planted(
              "no refund for the expired",
              "a job that missed its deadline keeps the credits",
              () -> Plant.written(edit -> keep(edit, State.EXPIRED))),
          new Planted(
              "refund without a line",
              "the balance is raised, and the ledger says nothing",
              () ->
                  Plant.written(
                      edit -> edit.ledger.removeIf(line -> line.type() == LedgerType.JOB_REFUND))),
          new Planted(
              "a line without a refund",
              "the ledger says refund, and the balance stays as it was",
              () ->
                  Plant.written(edit -> {
                    if (!edit.lines(LedgerType.JOB_REFUND).isEmpty()) {
                      edit.wallets.clear();
                    }
                  })),
          new Planted(
              "charge the whole hold",
              "a completed job pays all of its hold, whatever was delivered",
              () -> Plant.ruled(Report.Complete.class, MoneyBugs::flat)),
          new Planted(
              "consume before the review",
              "a result that waits for review is paid already",
              () -> Plant.written(MoneyBugs::consumeReviewed)),
          new Planted(
              "capture more than was held",
              "the consume line says one credit more than the hold had",
              () -> Plant.written(edit -> edit.ledger.replaceAll(MoneyBugs::more))),
          new Planted(
              "pay safety rejections back",
              "the safety filter refunds although the effect does not say so",
              () ->
                  Plant.commands(
                      Report.Fail.class,
                      f ->
                          f.kind() == Report.Fail.Kind.SAFETY
                              ? Plant.fail(
                                  f, Report.Fail.Kind.PERMANENT, f.retryAfter(), f.jitter())
                              : f)),
          new Planted(
              "forget the batch's own debits",
              "each submit of a batch sees the balance as it was before the batch",
              () -> Plant.eachAlone(SubmitJob.class)));

  private MoneyBugs() {}

  static JobTerms.Rules flat(JobTerms.Rules r) {
    return new JobTerms.Rules(r.review(), r.safetyRefund(), r.declineConsumes(), Price.OF_THE_JOB);
  }

  private static LedgerLine line(Job job, LedgerType type, long amount, long captured) {
    return new LedgerLine(
        job.terms().walletId(),
        type,
        amount,
        captured,
        0,
        new LedgerLine.Funding(job.id().uuid(), job.hold().fundingSeq()),
        null,
        null);
  }

  private static LedgerLine more(LedgerLine line) {
    return line.type() != LedgerType.JOB_CONSUME
        ? line
        : new LedgerLine(
            line.walletId(),
            line.type(),
            0,
            line.captured() + 1,
            line.balanceAfter(),
            line.funding(),
            null,
            null);
  }

  private static void keep(Edit edit, State state) {
    Predicate<UUID> ended =
        id ->
            edit.changed.stream()
                .anyMatch(job -> job.id().uuid().equals(id) && job.state() == state);
    for (LedgerLine line : edit.lines(LedgerType.JOB_REFUND)) {
      if (ended.test(Objects.requireNonNull(line.job()))) {
        edit.unpay(line);
      }
    }
  }

  private static void refundCanceling(Edit edit) {
    for (Job job : edit.changed) {
      boolean began =
          edit.events.stream()
              .anyMatch(e ->
                  e.job().equals(job.id())
                      && e.state() == State.CANCELING
                      && e.from() == State.RUNNING);
      if (began && job.state() == State.CANCELING && job.hold().amount() > 0) {
        edit.ledger.add(line(job, LedgerType.JOB_REFUND, job.hold().amount(), 0));
      }
    }
  }

  private static void consumeReviewed(Edit edit) {
    for (Job job : edit.changed) {
      if (job.state() == State.WAITING_REVIEW && job.hold().amount() > 0) {
        edit.ledger.add(line(job, LedgerType.JOB_CONSUME, 0, job.hold().amount()));
      }
    }
  }

  private static Bug debitFirst() {
    return new Bug() {
      @Override
      public <C, R> CommandBatch<C, R> around(CommandBatch<C, R> batch) {
        return (tx, commands) -> {
          Remembering rows = new Remembering(tx);
          CommandBatch.Decided<R> decided = batch.decide(rows, commands);
          Edit edit = new Edit(decided.changes());
          for (int i = 0; i < commands.size(); i++) {
            if (decided.results().get(i) instanceof SubmitJob.Result.Replayed
                && commands.get(i) instanceof SubmitJob order) {
              debit(edit, rows, order);
            }
          }
          return new CommandBatch.Decided<>(edit.done(), decided.results());
        };
      }
    };
  }

  private static void debit(Edit edit, Remembering rows, SubmitJob order) {
    Wallet wallet =
        Objects.requireNonNull(rows.lockWallets(Set.of(order.owner())).get(order.owner()));
    long cost = order.terms().cost();
    if (edit.wallets.stream().noneMatch(known -> known.id() == wallet.id())) {
      edit.wallets.add(wallet);
    }
    if (cost > 0 && wallet.covers(cost)) {
      edit.pay(
          new LedgerLine(
              wallet.id(),
              LedgerType.JOB_RESERVE,
              -cost,
              0,
              0,
              new LedgerLine.Funding(order.id(), 1),
              null,
              null));
    }
  }
}
