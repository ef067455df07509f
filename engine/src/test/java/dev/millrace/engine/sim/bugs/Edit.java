package dev.millrace.engine.sim.bugs;

import dev.millrace.engine.job.Attempt;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobEvent;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.money.LedgerLine;
import dev.millrace.engine.money.LedgerType;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.AuditLine;
import dev.millrace.engine.port.Callback;
import dev.millrace.engine.port.Changes;
import dev.millrace.engine.port.Share;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The changes of a batch, to be tampered with before they are written. */
final class Edit {

  final Instant at;
  final List<Changes.NewJob> created;
  final List<Job> changed;
  final List<JobEvent> events;
  final List<Wallet> wallets;
  final List<LedgerLine> ledger;
  final List<Attempt> attempts;
  final List<Changes.JobOutput> outputs;
  final List<Share> shares;
  final Map<Integer, Long> served;
  final List<Changes.NewBatch> batches;
  final List<Changes.Placed> placed;
  final List<Changes.Withheld> withheld;
  final List<Changes.Reviewed> reviewed;
  final List<Callback> received;
  final List<Changes.Judged> judged;
  final List<AuditLine> audits;

  Edit(Changes changes) {
    at = changes.at();
    created = new ArrayList<>(changes.created());
    changed = new ArrayList<>(changes.changed());
    events = new ArrayList<>(changes.events());
    wallets = new ArrayList<>(changes.wallets());
    ledger = new ArrayList<>(changes.ledger());
    attempts = new ArrayList<>(changes.attempts());
    outputs = new ArrayList<>(changes.outputs());
    shares = new ArrayList<>(changes.shares());
    served = changes.served();
    batches = new ArrayList<>(changes.batches());
    placed = new ArrayList<>(changes.placed());
    withheld = new ArrayList<>(changes.withheld());
    reviewed = new ArrayList<>(changes.reviewed());
    received = new ArrayList<>(changes.received());
    judged = new ArrayList<>(changes.judged());
    audits = new ArrayList<>(changes.audits());
  }

  Changes done() {
    return new Changes(
        at,
        batches,
        new Changes.OfJobs(created, changed, placed, events),
        new Changes.OfMoney(wallets, ledger),
        new Changes.OfResults(attempts, outputs, withheld, reviewed),
        new Changes.OfQueues(shares, served),
        new Changes.OfInbox(received, judged),
        audits);
  }

  /** Everything of the other one as well. */
  void add(Edit other) {
    created.addAll(other.created);
    changed.addAll(other.changed);
    events.addAll(other.events);
    wallets.addAll(other.wallets);
    ledger.addAll(other.ledger);
    attempts.addAll(other.attempts);
    outputs.addAll(other.outputs);
    shares.addAll(other.shares);
    placed.addAll(other.placed);
    withheld.addAll(other.withheld);
    reviewed.addAll(other.reviewed);
    received.addAll(other.received);
    judged.addAll(other.judged);
  }

  /** What may only be written once the rest is gone. */
  void keepMoneyOnly() {
    batches.clear();
    created.clear();
    changed.clear();
    placed.clear();
    events.clear();
    attempts.clear();
    outputs.clear();
    withheld.clear();
    reviewed.clear();
    shares.clear();
    received.clear();
    judged.clear();
    audits.clear();
  }

  boolean endedAs(JobId job, String outcome) {
    return attempts.stream()
        .anyMatch(attempt ->
            attempt instanceof Attempt.Ended end
                && end.job().equals(job)
                && end.outcome().equals(outcome));
  }

  /** Moves a balance as the line says, and keeps the line. */
  void pay(LedgerLine line) {
    for (int i = 0; i < wallets.size(); i++) {
      Wallet wallet = wallets.get(i);
      if (wallet.id() == line.walletId()) {
        Wallet after = with(wallet, wallet.balance() + line.amount());
        wallets.set(i, after);
        ledger.add(
            new LedgerLine(
                line.walletId(),
                line.type(),
                line.amount(),
                line.captured(),
                after.balance(),
                line.funding(),
                line.key(),
                line.note()));
      }
    }
  }

  /** Takes a line back, with what it moved. */
  void unpay(LedgerLine line) {
    ledger.remove(line);
    for (int i = 0; i < wallets.size(); i++) {
      Wallet wallet = wallets.get(i);
      if (wallet.id() == line.walletId()) {
        wallets.set(i, with(wallet, wallet.balance() - line.amount()));
      }
    }
  }

  static Wallet with(Wallet wallet, long balance) {
    return new Wallet(wallet.id(), wallet.owner(), balance, wallet.usage());
  }

  List<LedgerLine> lines(LedgerType type) {
    return ledger.stream().filter(line -> line.type() == type).toList();
  }
}
