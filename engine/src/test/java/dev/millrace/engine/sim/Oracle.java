package dev.millrace.engine.sim;

import static dev.millrace.engine.memory.BrokenLaw.require;

import dev.millrace.engine.command.Callbacks;
import dev.millrace.engine.command.LeaseJobs;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.command.SubmitMany;
import dev.millrace.engine.command.Timings;
import dev.millrace.engine.command.TopUp;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.OutputFile;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.memory.MemoryTables;
import dev.millrace.engine.money.QuotaUse;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Callback;
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
import java.util.stream.Collectors;

/**
 * Knows what each committed command must have been answered, from nothing but the commands and
 * answers before it.
 */
final class Oracle {

  /** A worker's wish and what it got. */
  record Served(LeaseJobs ask, List<Leased> leased) {}

  private final Stage stage;
  private final CapLaws caps;
  private final Expectations expectations;
  private final Accounts accounts = new Accounts();
  private final Orders orders;
  private final Map<JobId, Job> jobs = new TreeMap<>();
  private final Map<JobId, Wallet.Owner> owners = new HashMap<>();
  private final Map<JobId, List<UUID>> outputs = new HashMap<>();
  private final Map<Callback.Id, Callback> inbox = new TreeMap<>();
  private final Map<UUID, Report.FollowUp> followUps = new HashMap<>();
  private final Set<Changes.Withheld> withheld = new HashSet<>();
  private final Map<UUID, Boolean> reviewed = new HashMap<>();
  private final Set<JobId> completedNow = new HashSet<>();
  private final Set<UUID> tokens = new HashSet<>();
  private final List<Served> served = new ArrayList<>();
  private Instant now = Instant.MIN;
  private boolean alone;

  Oracle(Stage stage, CapLaws caps, Timings timings) {
    this.stage = stage;
    this.caps = caps;
    this.expectations = new Expectations(timings);
    this.orders = new Orders(accounts, jobs);
  }

  /**
   * When the commands that are judged next were decided.
   *
   * @param undisturbed whether nobody else did anything meanwhile, not even the clock
   */
  void at(Instant time, boolean undisturbed) {
    now = time;
    alone = undisturbed;
    orders.at(time, undisturbed);
  }

  Map<JobId, Job> jobs() {
    return jobs;
  }

  List<UUID> outputs(JobId job) {
    return outputs.getOrDefault(job, List.of());
  }

  void submit(SubmitJob order, SubmitJob.Result result) {
    orders.submit(order, result);
    owners.put(order.jobId(), order.owner());
  }

  void submitMany(SubmitMany many, SubmitMany.Result result) {
    orders.submitMany(many, result);
    many.jobs().forEach(order -> owners.put(order.jobId(), order.owner()));
  }

  void topUp(TopUp topUp, TopUp.Result result) {
    Accounts.Scope scope = new Accounts.Scope(topUp.owner(), topUp.key());
    Long before = accounts.payments().putIfAbsent(scope, topUp.amount());
    if (before == null) {
      accounts.add(topUp.owner(), topUp.amount());
    }
    boolean right =
        switch (result) {
          case TopUp.Result.Booked(Wallet wallet) -> before == null && told(topUp, wallet);
          case TopUp.Result.Replayed(Wallet wallet) ->
              before != null && before == topUp.amount() && told(topUp, wallet);
          case TopUp.Result.KeyMismatch() -> before != null && before != topUp.amount();
          case TopUp.Result.TooRich _, TopUp.Result.TooPoor _ -> false;
        };
    require(right, "a payment counts once", topUp, result, before);
  }

  private boolean told(TopUp topUp, Wallet wallet) {
    return wallet.owner().equals(topUp.owner())
        && wallet.balance() == accounts.balance(topUp.owner());
  }

  void lease(LeaseJobs ask, List<Leased> leased) {
    served.add(new Served(ask, leased));
    require(leased.size() <= ask.max(), "a worker gets no more than it asks for", ask, leased);
    for (Leased one : leased) {
      Job before = jobs.get(one.job().id());
      require(before != null, "only jobs that exist are leased", one);
      require(tokens.add(one.token()), "a token is used once", one);
      require(
          ask.workflowIds().contains(one.job().terms().workflowId()),
          "a worker gets only what it knows",
          ask,
          one);
      expectations.leased(Objects.requireNonNull(before), ask, one, now);
      jobs.put(one.job().id(), one.job());
    }
  }

  void callback(Callbacks.Command command, Callbacks.Reception heard) {
    Callback before = inbox.get(command.callback());
    Callbacks.Reception expected =
        switch (command) {
          case Callbacks.Receive(var id, String reference, var intent) -> {
            inbox.putIfAbsent(
                id, new Callback(id, reference, intent, Callback.Verdict.WAITING, now));
            yield before == null ? Callbacks.Reception.NEW : Callbacks.Reception.REPEATED;
          }
          case Callbacks.GiveUp(var id, var patience) -> {
            if (before == null
                || !before.waiting()
                || now.isBefore(before.receivedAt().plus(patience))) {
              yield Callbacks.Reception.KEPT;
            }
            inbox.put(id, before.as(Callback.Verdict.UNMATCHED));
            yield Callbacks.Reception.GIVEN_UP;
          }
          case Callbacks.JudgeLate(var id, var job, var token) -> {
            Job spokenOf = jobs.get(job);
            if (before == null
                || !before.waiting()
                || (spokenOf != null && spokenOf.leasedBy(token, now))) {
              yield Callbacks.Reception.KEPT;
            }
            inbox.put(id, before.as(Callback.Verdict.LATE));
            yield Callbacks.Reception.LATE;
          }
        };
    // Two nodes that hear it at the same moment may both take it for new; it is kept once.
    boolean both =
        !alone && heard == Callbacks.Reception.NEW && expected == Callbacks.Reception.REPEATED;
    require(
        heard == expected || both,
        "a callback is kept once and judged once",
        command,
        heard,
        before);
  }

  void report(Report report, Report.Result result) {
    if (report instanceof Report.Deciding deciding && deciding.cause() != null) {
      Callback callback = inbox.get(deciding.cause());
      if (callback == null || !callback.waiting()) {
        require(
            new Report.Result.Repeated().equals(result), "a callback decides once", report, result);
        return;
      }
      boolean applied = result instanceof Report.Result.Done;
      inbox.put(
          callback.id(), callback.as(applied ? Callback.Verdict.APPLIED : Callback.Verdict.LATE));
    }
    decide(report, result);
  }

  private void decide(Report told, Report.Result result) {
    Report report = told instanceof Report.Approve approve ? named(approve) : told;
    Job before = jobs.get(report.job());
    if (before == null || before.afterEnd().deleted()) {
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
    if ((report instanceof Report.Approve || report instanceof Report.ReviewItems)
        && result instanceof Report.Result.NoSuchItems
        && completedNow.contains(before.id())) {
      // A batch does not yet see the outputs of its own results; the reviewer looks again.
      return;
    }
    Wallet.Owner owner = Objects.requireNonNull(owners.get(before.id()));
    Report.Result refusal =
        Refusals.expected(before, report, accounts.balance(owner), outputs, reviewed);
    if (refusal != null) {
      require(refusal.equals(result), "what is refused is told why", report, result, refusal);
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
    book(owner, before, report, after);
  }

  private void book(Wallet.Owner owner, Job before, Report report, Job after) {
    if (before.hold().open() && !after.hold().open()) {
      accounts.ended(owner, after.hold().refunded());
    }
    switch (report) {
      case Report.Complete complete when after.state() != State.CANCELED -> {
        outputs.put(after.id(), complete.outputs().stream().map(OutputFile::id).toList());
        completedNow.add(after.id());
      }
      case Report.RetryInPlace _ -> accounts.began(owner, after.hold().amount());
      case Report.Overturn _ when !before.afterEnd().overturned() ->
          accounts.add(owner, before.hold().captured());
      case Report.ReviewItems items -> {
        items.approved().forEach(item -> reviewed.put(item, true));
        items.declined().forEach(item -> reviewed.put(item, false));
      }
      case Report.Approve approve -> approved(owner, approve, after);
      default -> {}
    }
  }

  /** Who approves all means all that was not declined before. */
  private Report.Approve named(Report.Approve approve) {
    List<UUID> all = outputs(approve.job());
    if (approve.items() != null || all.stream().noneMatch(reviewed::containsKey)) {
      return approve;
    }
    return new Report.Approve(
        approve.job(),
        approve.actor(),
        all.stream()
            .filter(item -> !Boolean.FALSE.equals(reviewed.get(item)))
            .collect(Collectors.toSet()),
        approve.followUp());
  }

  private void approved(Wallet.Owner owner, Report.Approve approve, Job after) {
    for (UUID item : outputs(after.id())) {
      if (approve.items() != null && !approve.items().contains(item)) {
        withheld.add(new Changes.Withheld(after.id(), item));
      }
    }
    Report.FollowUp followUp = approve.followUp();
    if (followUp != null) {
      accounts.accepted(owner, followUp.terms().cost(), now);
      followUps.put(followUp.id(), followUp);
      owners.put(new JobId(after.id().tenant(), followUp.id()), owner);
    }
  }

  /** After the answers of a transaction: the rows must say the same. */
  void written(Changes changes) {
    for (Changes.NewJob row : changes.created()) {
      Report.FollowUp followUp = followUps.remove(row.job().id().uuid());
      if (followUp != null) {
        orders.followUp(followUp, row.job());
      }
    }
    require(followUps.isEmpty(), "an approved result is followed up", followUps);
    List<Served> asked = List.copyOf(served);
    served.clear();
    completedNow.clear();
    CapLaws.Running running = caps.check(jobs.values());
    if (!stage.cheapToLook()) {
      return;
    }
    MemoryTables tables = stage.look();
    if (alone && !asked.isEmpty()) {
      FairOrder.check(tables, asked, running);
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

  /** Stored bytes are the store's to count, and no answer tells them. */
  private static QuotaUse countedHere(QuotaUse usage) {
    return new QuotaUse(usage.active(), usage.day(), usage.today(), usage.limits());
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
          wallet.balance() == accounts.balance(wallet.owner())
              && countedHere(wallet.usage()).equals(countedHere(accounts.usage(wallet.owner()))),
          "a wallet is what its user was told",
          wallet,
          accounts.balance(wallet.owner()),
          accounts.usage(wallet.owner()));
    }
    require(
        tables.inbox.equals(inbox), "the inbox is what providers were told", tables.inbox, inbox);
    orders.checkKeys(tables);
    if (stage.cheapToLook()) {
      require(
          new HashSet<>(tables.withheld).equals(withheld),
          "what a reviewer left out is withheld",
          tables.withheld,
          withheld);
    }
  }
}
