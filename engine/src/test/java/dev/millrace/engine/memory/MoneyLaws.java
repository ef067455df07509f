package dev.millrace.engine.memory;

import static dev.millrace.engine.memory.BrokenLaw.require;

import dev.millrace.engine.job.Job;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.money.Hold;
import dev.millrace.engine.money.LedgerLine;
import dev.millrace.engine.money.LedgerType;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Changes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** What is always true of credits. */
final class MoneyLaws {

  private static final String SUM = "a balance is the sum of its ledger";

  private record Funding(long amount, long captured, int lines) {
    static final Funding NONE = new Funding(0, 0, 0);

    Funding plus(LedgerLine line) {
      return new Funding(amount + line.amount(), captured + line.captured(), lines + 1);
    }
  }

  private final MemoryTables tables;
  private final Map<Long, Long> running = new HashMap<>();

  MoneyLaws(MemoryTables tables) {
    this.tables = tables;
  }

  void checkAll() {
    Map<Long, Long> sums = new HashMap<>();
    Set<String> payments = new HashSet<>();
    long granted = 0;
    long consumed = 0;
    for (LedgerLine line : tables.ledger) {
      long sum = sums.merge(line.walletId(), line.amount(), Long::sum);
      require(line.balanceAfter() == sum && sum >= 0, SUM, line, sum);
      granted += line.job() == null ? line.amount() : 0;
      consumed += line.captured();
      require(
          line.key() == null || payments.add(line.walletId() + " " + line.key()),
          "a payment's key counts once",
          line);
    }
    long there = 0;
    for (Wallet wallet : tables.wallets.values()) {
      require(wallet.balance() == sums.getOrDefault(wallet.id(), 0L), SUM, wallet);
      there += wallet.balance();
    }
    Map<Long, Integer> live = new HashMap<>();
    for (Job job : tables.jobs.values()) {
      there += job.hold().open() ? job.hold().amount() : 0;
      live.merge(job.terms().walletId(), job.state().live() ? 1 : 0, Integer::sum);
    }
    for (Wallet wallet : tables.wallets.values()) {
      require(
          wallet.usage().active() == live.getOrDefault(wallet.id(), 0),
          "a wallet counts its live jobs",
          wallet);
    }
    require(there + consumed == granted, "no credit appears or vanishes", there, consumed, granted);
  }

  /** The cheap half: only what this commit touched. */
  void check(Changes changes) {
    for (LedgerLine line : changes.ledger()) {
      long sum = running.merge(line.walletId(), line.amount(), Long::sum);
      require(line.balanceAfter() == sum && sum >= 0, SUM, line, sum);
    }
    for (Wallet wallet : changes.wallets()) {
      require(wallet.balance() == running.getOrDefault(wallet.id(), 0L), SUM, wallet, changes);
    }
    for (LedgerLine line : changes.ledger()) {
      Wallet wallet = Objects.requireNonNull(tables.wallets.get(line.walletId()));
      require(wallet.balance() == running.getOrDefault(wallet.id(), 0L), SUM, wallet, line);
    }
  }

  void check(Job job) {
    Hold hold = job.hold();
    require(hold.open() == job.state().live(), "a hold is open while its job lives", job);
    require(
        (hold.fundingSeq() == 0) == (job.state() == State.BLOCKED),
        "only a blocked job has no hold");
    long earlier = 0;
    Funding reserve = Funding.NONE;
    Funding consume = Funding.NONE;
    Funding refund = Funding.NONE;
    for (LedgerLine line : tables.ledgerOf(job.id())) {
      require(line.walletId() == job.terms().walletId(), "a job is paid by one wallet", job, line);
      if (line.fundingSeq() == hold.fundingSeq()) {
        reserve = line.type() == LedgerType.JOB_RESERVE ? reserve.plus(line) : reserve;
        consume = line.type() == LedgerType.JOB_CONSUME ? consume.plus(line) : consume;
        refund = line.type() == LedgerType.JOB_REFUND ? refund.plus(line) : refund;
      } else {
        earlier += line.amount() + line.captured();
      }
    }
    require(earlier == 0, "an earlier funding is settled", job, earlier);
    boolean once = reserve.lines <= 1 && consume.lines <= 1 && refund.lines <= 1;
    require(once, "one reserve, one consume, one refund per funding", job);
    require(-reserve.amount == hold.amount(), "a hold was reserved", job, reserve);
    require(
        consume.captured == hold.captured() && refund.amount == hold.refunded(),
        "a hold is settled once, as the ledger says",
        job,
        consume,
        refund);
  }
}
