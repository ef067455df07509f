package dev.millrace.engine.sim;

import static dev.millrace.engine.memory.BrokenLaw.require;

import dev.millrace.engine.command.LeaseJobs;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.command.Timings;
import dev.millrace.engine.command.TopUp;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.memory.MemoryTables;
import dev.millrace.engine.money.Hold;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Changes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Knows what each committed command must have been answered, from nothing but the commands and
 * answers before it.
 */
final class Oracle {

  /** A worker's wish and what it got. */
  record Served(LeaseJobs ask, List<Leased> leased) {}

  private record Scope(Wallet.Owner owner, String key) {}

  private final Stage stage;
  private final Expectations expectations;
  private final Timings timings;
  private final Map<JobId, Job> jobs = new TreeMap<>();
  private final Map<JobId, SubmitJob> orders = new HashMap<>();
  private final Map<Scope, SubmitJob> keys = new HashMap<>();
  private final Map<Scope, Long> payments = new HashMap<>();
  private final Map<Wallet.Owner, Long> balances = new HashMap<>();
  private final Set<UUID> tokens = new HashSet<>();
  private final List<Served> served = new ArrayList<>();
  private Instant now = Instant.MIN;

  Oracle(Stage stage, Timings timings) {
    this.stage = stage;
    this.timings = timings;
    this.expectations = new Expectations(timings);
  }

  /** When the commands that are judged next were decided. */
  void at(Instant time) {
    now = time;
  }

  Map<JobId, Job> jobs() {
    return jobs;
  }

  private long balance(Wallet.Owner owner) {
    return balances.getOrDefault(owner, 0L);
  }

  void submit(SubmitJob order, SubmitJob.Result result) {
    SubmitJob before = order.key() == null ? null : keys.get(new Scope(order.owner(), order.key()));
    if (before != null) {
      SubmitJob.Result expected =
          before.fingerprint().equals(order.fingerprint())
              ? new SubmitJob.Result.Replayed(before.jobId())
              : new SubmitJob.Result.KeyMismatch(before.jobId());
      require(expected.equals(result), "a used key finds its one job", order, result, before);
      return;
    }
    long cost = order.terms().cost();
    long balance = balance(order.owner());
    if (balance < cost) {
      require(
          new SubmitJob.Result.InsufficientCredits(cost, balance).equals(result),
          "who can't pay is refused",
          order,
          result,
          balance);
      return;
    }
    require(result instanceof SubmitJob.Result.Accepted, "who can pay is accepted", order, result);
    accepted(order, ((SubmitJob.Result.Accepted) result).job());
  }

  private void accepted(SubmitJob order, Job job) {
    boolean later = order.runAt() != null && order.runAt().isAfter(now);
    Instant due = later ? Objects.requireNonNull(order.runAt()) : now;
    require(
        job.id().equals(order.jobId())
            && job.hold().equals(new Hold(1, order.terms().cost(), true, 0))
            && job.state() == (later ? State.PENDING : State.QUEUED)
            && job.times().dueAt().equals(due)
            && due.plusSeconds(order.terms().queueSeconds()).equals(job.times().deadlineAt())
            && job.facts().priority() == order.priority()
            && job.facts().workflowId() == order.terms().workflowId()
            && job.facts().review() == order.terms().review()
            && job.lease() == null,
        "an accepted job is what was ordered",
        order,
        job);
    require(orders.put(job.id(), order) == null, "an id is used once", order);
    balances.merge(order.owner(), -order.terms().cost(), Long::sum);
    jobs.put(job.id(), job);
    if (order.key() != null) {
      keys.put(new Scope(order.owner(), order.key()), order);
    }
  }

  void topUp(TopUp topUp, TopUp.Result result) {
    Scope scope = new Scope(topUp.owner(), topUp.key());
    Long before = payments.get(scope);
    if (before == null) {
      payments.put(scope, topUp.amount());
      balances.merge(topUp.owner(), topUp.amount(), Long::sum);
    }
    boolean right =
        switch (result) {
          case TopUp.Result.Booked(Wallet wallet) -> before == null && told(topUp, wallet);
          case TopUp.Result.Replayed(Wallet wallet) ->
              before != null && before == topUp.amount() && told(topUp, wallet);
          case TopUp.Result.KeyMismatch() -> before != null && before != topUp.amount();
          case TopUp.Result.TooRich _ -> false;
        };
    require(right, "a payment counts once", topUp, result, before, balance(topUp.owner()));
  }

  private boolean told(TopUp topUp, Wallet wallet) {
    return wallet.owner().equals(topUp.owner()) && wallet.balance() == balance(topUp.owner());
  }

  void lease(LeaseJobs ask, List<Leased> leased) {
    served.add(new Served(ask, leased));
    require(leased.size() <= ask.max(), "a worker gets no more than it asks for", ask, leased);
    for (Leased one : leased) {
      Job before = jobs.get(one.job().id());
      require(before != null, "only jobs that exist are leased", one);
      require(tokens.add(one.token()), "a token is used once", one);
      require(
          ask.workflowIds().contains(one.job().facts().workflowId()),
          "a worker gets only what it knows",
          ask,
          one);
      expectations.leased(Objects.requireNonNull(before), ask, one, now);
      jobs.put(one.job().id(), one.job());
    }
  }

  void report(Report report, Report.Result result) {
    Job before = jobs.get(report.job());
    if (before == null) {
      require(new Report.Result.Missing().equals(result), "nobody reports on nothing", report);
      return;
    }
    if (report instanceof Report.ByLease byLease && !before.leasedBy(byLease.token(), now)) {
      require(
          new Report.Result.StaleLease().equals(result),
          "who has no live lease is told so",
          report,
          result,
          before,
          now);
      return;
    }
    Expectations.Next next = expectations.after(before, report, now);
    if (next == null) {
      require(
          result instanceof Report.Result.Denied,
          "what the table has not is denied",
          report,
          result);
      return;
    }
    require(result instanceof Report.Result.Done, "a report counts", report, result, before);
    Job after = ((Report.Result.Done) result).job();
    expectations.check(before, report, next, after, now);
    jobs.put(after.id(), after);
    if (before.hold().open() && !after.hold().open()) {
      Wallet.Owner payer = Objects.requireNonNull(orders.get(after.id())).owner();
      balances.merge(payer, after.hold().refunded(), Long::sum);
    }
  }

  /**
   * After the answers of a transaction: the rows must say the same.
   *
   * @param alone whether nobody else did anything meanwhile
   */
  void written(Changes changes, boolean alone) {
    List<Served> asked = List.copyOf(served);
    served.clear();
    if (!stage.cheapToLook()) {
      return;
    }
    MemoryTables tables = stage.look();
    if (alone && !asked.isEmpty()) {
      FairOrder.check(tables, asked);
    }
    for (Job job : changes.changed()) {
      same(tables, job.id());
    }
    for (Changes.NewJob row : changes.created()) {
      same(tables, row.job().id());
    }
  }

  private void same(MemoryTables tables, JobId id) {
    Job row = tables.jobs.get(id);
    require(
        Objects.equals(row, jobs.get(id)), "what is answered is what is stored", row, jobs.get(id));
  }

  /** In the end: nothing is stored that nobody was answered, and nothing answered is missing. */
  void checkEverything(MemoryTables tables) {
    require(
        tables.jobs.keySet().equals(jobs.keySet()),
        "every accepted submit exists exactly once",
        tables.jobs.keySet(),
        jobs.keySet());
    jobs.keySet().forEach(id -> same(tables, id));
    for (Wallet wallet : tables.wallets.values()) {
      require(
          wallet.balance() == balance(wallet.owner()),
          "a wallet is what its user was told",
          wallet,
          balance(wallet.owner()));
    }
    keys.forEach((scope, order) -> {
      var made = tables.made.get(order.jobId());
      require(
          made != null
              && scope.key().equals(made.key())
              && order.fingerprint().equals(made.fingerprint()),
          "a key is kept with its job",
          order,
          made);
    });
  }

  Timings timings() {
    return timings;
  }
}
