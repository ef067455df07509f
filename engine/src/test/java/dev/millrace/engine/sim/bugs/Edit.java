package dev.millrace.engine.sim.bugs;

import dev.millrace.engine.job.Attempt;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobEvent;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.money.LedgerLine;
import dev.millrace.engine.money.LedgerType;
import dev.millrace.engine.money.Wallet;
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
  final List<Attempt.Begun> begun;
  final List<Attempt.Ended> ended;
  final List<Changes.StoredOutput> outputs;
  final List<Share> shares;
  final Map<Integer, Long> served;

  Edit(Changes changes) {
    at = changes.at();
    created = new ArrayList<>(changes.created());
    changed = new ArrayList<>(changes.changed());
    events = new ArrayList<>(changes.events());
    wallets = new ArrayList<>(changes.wallets());
    ledger = new ArrayList<>(changes.ledger());
    begun = new ArrayList<>(changes.begun());
    ended = new ArrayList<>(changes.ended());
    outputs = new ArrayList<>(changes.outputs());
    shares = new ArrayList<>(changes.shares());
    served = changes.served();
  }

  Changes done() {
    return new Changes(
        at, created, changed, events, wallets, ledger, begun, ended, outputs, shares, served);
  }

  /** Everything of the other one as well. */
  void add(Edit other) {
    created.addAll(other.created);
    changed.addAll(other.changed);
    events.addAll(other.events);
    wallets.addAll(other.wallets);
    ledger.addAll(other.ledger);
    begun.addAll(other.begun);
    ended.addAll(other.ended);
    outputs.addAll(other.outputs);
    shares.addAll(other.shares);
  }

  boolean endedAs(JobId job, String outcome) {
    return ended.stream().anyMatch(end -> end.job().equals(job) && end.outcome().equals(outcome));
  }

  /** Moves a balance as the line says, and keeps the line. */
  void pay(LedgerLine line) {
    for (int i = 0; i < wallets.size(); i++) {
      Wallet wallet = wallets.get(i);
      if (wallet.id() == line.walletId()) {
        Wallet after = new Wallet(wallet.id(), wallet.owner(), wallet.balance() + line.amount());
        wallets.set(i, after);
        ledger.add(
            new LedgerLine(
                line.walletId(),
                line.type(),
                line.amount(),
                line.captured(),
                after.balance(),
                line.job(),
                line.fundingSeq(),
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
        wallets.set(i, new Wallet(wallet.id(), wallet.owner(), wallet.balance() - line.amount()));
      }
    }
  }

  List<LedgerLine> lines(LedgerType type) {
    return ledger.stream().filter(line -> line.type() == type).toList();
  }
}
