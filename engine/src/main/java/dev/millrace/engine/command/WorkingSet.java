package dev.millrace.engine.command;

import dev.millrace.engine.job.Attempt;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobEvent;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.Lease;
import dev.millrace.engine.job.OutputFile;
import dev.millrace.engine.job.Times;
import dev.millrace.engine.lifecycle.Edge;
import dev.millrace.engine.lifecycle.Lifecycle;
import dev.millrace.engine.lifecycle.MoneyEffect;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.lifecycle.Trigger;
import dev.millrace.engine.money.Hold;
import dev.millrace.engine.money.LedgerLine;
import dev.millrace.engine.money.Settlement;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.AuditLine;
import dev.millrace.engine.port.Callback;
import dev.millrace.engine.port.Changes;
import dev.millrace.engine.port.Share;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The rows a batch has locked, as its commands change them one after the other, and the lines they
 * leave behind. A later command of the batch sees what an earlier one did.
 */
final class WorkingSet {

  /** Where a transition leads. What it does to the hold, the table says. */
  record Target(State state, Times times, @Nullable Lease lease) {}

  private final Instant now;
  private final Map<Long, Wallet> wallets = new HashMap<>();
  private final Map<JobId, Job> jobs = new HashMap<>();
  private final Map<Long, Wallet> changedWallets = new LinkedHashMap<>();
  private final Map<JobId, Job> changedJobs = new LinkedHashMap<>();
  private final Map<Share.Id, Share> changedShares = new LinkedHashMap<>();
  private final Map<Integer, Long> served = new TreeMap<>();
  private final List<Changes.NewJob> created = new ArrayList<>();
  private final List<JobEvent> events = new ArrayList<>();
  private final List<LedgerLine> ledger = new ArrayList<>();
  private final List<Attempt> attempts = new ArrayList<>();
  private final List<Changes.JobOutput> outputs = new ArrayList<>();
  private final List<Changes.Withheld> withheld = new ArrayList<>();
  private final List<Changes.Reviewed> reviewed = new ArrayList<>();
  private final List<Changes.NewBatch> batches = new ArrayList<>();
  private final Map<JobId, Changes.Placed> placed = new LinkedHashMap<>();
  private final Map<Callback.Id, Callback> callbacks = new HashMap<>();
  private final List<Callback> received = new ArrayList<>();
  private final List<Changes.Judged> judged = new ArrayList<>();
  private final List<AuditLine> audits = new ArrayList<>();

  WorkingSet(Instant now) {
    this.now = now;
  }

  Instant now() {
    return now;
  }

  /** When something happens to the job: now, but never before what happened to it last. */
  Instant at(Job job) {
    Instant last = job.times().changedAt();
    return now.isBefore(last) ? last : now;
  }

  void know(Wallet wallet) {
    wallets.put(wallet.id(), wallet);
  }

  void know(Job job) {
    jobs.put(job.id(), job);
  }

  Optional<Job> job(JobId id) {
    return Optional.ofNullable(jobs.get(id));
  }

  Wallet wallet(long id) {
    Wallet wallet = wallets.get(id);
    if (wallet == null) {
      throw new IllegalStateException("wallet " + id + " was not locked");
    }
    return wallet;
  }

  /** A new job. If it is to be paid, its hold is reserved here. */
  Job create(Job draft, long cost, Changes.NewJob rest) {
    Edge edge =
        Lifecycle.edge(null, Trigger.SUBMIT, draft.state())
            .orElseThrow(() -> new IllegalStateException("no job starts " + draft.state()));
    if (edge.money() == MoneyEffect.NONE) {
      return born(draft.counted(now), edge, rest);
    }
    Job reserved = reserved(edge, draft, cost);
    Wallet wallet = wallet(draft.terms().walletId());
    change(wallet.with(wallet.usage().accepted(now)));
    return born(reserved.counted(now), edge, rest);
  }

  private Job born(Job job, Edge edge, Changes.NewJob rest) {
    know(job);
    created.add(
        new Changes.NewJob(
            job, rest.virtualStart(), rest.input(), rest.key(), rest.fingerprint(), rest.links()));
    events.add(JobEvent.of(job, edge.trigger(), null));
    return job;
  }

  /** Lets a job that was over wait again, with a new hold of the same size and a new place. */
  Job revive(Job job, Target target, long virtualStart) {
    Edge edge =
        Lifecycle.edge(job.state(), Trigger.RETRY_IN_PLACE, target.state())
            .orElseThrow(() -> new IllegalStateException("no way back from " + job.state()));
    placed.put(job.id(), new Changes.Placed(job.id(), virtualStart));
    Job waiting = job.in(target.state(), target.times(), null);
    return record(reserved(edge, waiting, job.hold().amount()), edge.trigger(), edge.from());
  }

  /** Gives a job that waits another place in its queue. */
  void place(Job job, long virtualStart) {
    placed.put(job.id(), new Changes.Placed(job.id(), virtualStart));
  }

  private Job reserved(Edge edge, Job job, long cost) {
    if (edge.money() != MoneyEffect.RESERVE) {
      throw new IllegalStateException(edge + " reserves nothing");
    }
    Hold.Reserved reserved =
        job.hold().reserve(wallet(job.terms().walletId()), job.id().uuid(), cost);
    change(reserved.wallet().with(reserved.wallet().usage().began()));
    ledger.addAll(reserved.lines());
    return job.with(reserved.hold());
  }

  /** Moves a job along an edge of the table; empty, and nothing changed, if there is none. */
  Optional<Job> move(Job job, Trigger trigger, Target target) {
    return Lifecycle.edge(job.state(), trigger, target.state())
        .map(edge -> along(edge, job.in(target.state(), target.times(), target.lease())));
  }

  private Job along(Edge edge, Job moved) {
    Job job = edge.money().settles() ? settled(moved, settlement(edge, moved)) : moved;
    return record(job, edge.trigger(), edge.from());
  }

  /** How the edge would divide the hold of a job that is about to go along it. */
  Settlement settlement(Edge edge, Job moved) {
    Job before = jobs.get(moved.id());
    if (before == null) {
      throw new IllegalStateException(moved.id() + " was not locked");
    }
    return edge.money().settlement(moved.settlementTerms(before, now));
  }

  private Job settled(Job job, Settlement settlement) {
    Hold.Settled settled =
        job.hold().settle(wallet(job.terms().walletId()), job.id().uuid(), settlement);
    change(settled.wallet().with(settled.wallet().usage().ended()));
    ledger.addAll(settled.lines());
    return job.with(settled.hold());
  }

  /** A report that moves nothing, but is history. */
  Job report(Job job) {
    return record(job, null, job.state());
  }

  /** A change that leaves no event, such as a lease that was extended. */
  Job touch(Job job) {
    know(job);
    changedJobs.put(job.id(), job);
    return job;
  }

  private Job record(Job job, @Nullable Trigger trigger, @Nullable State from) {
    Job counted = job.counted(at(job));
    events.add(JobEvent.of(counted, trigger, from));
    return touch(counted);
  }

  /** A payment or adjustment. */
  void book(Wallet.Entry entry) {
    change(entry.wallet());
    ledger.add(entry.line());
  }

  void note(Attempt attempt) {
    attempts.add(attempt);
  }

  void end(Job job, String outcome, @Nullable String error) {
    attempts.add(new Attempt.Ended(job.id(), job.tries().attempts(), outcome, error, at(job)));
  }

  void store(Job job, List<OutputFile> files) {
    for (OutputFile file : files) {
      outputs.add(
          new Changes.JobOutput(job.id(), job.terms().walletId(), job.tries().attempts(), file));
    }
  }

  void share(Share share) {
    changedShares.put(share.key(), share);
  }

  void served(int workflowId, long virtualStart) {
    served.merge(workflowId, virtualStart, Math::max);
  }

  void withhold(Changes.Withheld output) {
    withheld.add(output);
  }

  void review(Changes.Reviewed output) {
    reviewed.add(output);
  }

  void add(Changes.NewBatch batch) {
    batches.add(batch);
  }

  void know(Callback callback) {
    callbacks.put(callback.id(), callback);
  }

  Optional<Callback> callback(Callback.Id id) {
    return Optional.ofNullable(callbacks.get(id));
  }

  void receive(Callback callback) {
    callbacks.putIfAbsent(callback.id(), callback);
    received.add(callback);
  }

  void judge(Callback callback, @Nullable JobId job) {
    know(callback);
    judged.add(new Changes.Judged(callback.id(), callback.verdict(), job));
  }

  void audit(Job job, String actor, String action, Map<String, String> detail) {
    audits.add(new AuditLine(job.id().tenant(), actor, action, job.id().uuid().toString(), detail));
  }

  private void change(Wallet wallet) {
    know(wallet);
    changedWallets.put(wallet.id(), wallet);
  }

  Changes changes() {
    return new Changes(
        now,
        List.copyOf(batches),
        new Changes.OfJobs(
            List.copyOf(created),
            List.copyOf(changedJobs.values()),
            List.copyOf(placed.values()),
            List.copyOf(events)),
        new Changes.OfMoney(List.copyOf(changedWallets.values()), List.copyOf(ledger)),
        new Changes.OfResults(
            List.copyOf(attempts),
            List.copyOf(outputs),
            List.copyOf(withheld),
            List.copyOf(reviewed)),
        new Changes.OfQueues(List.copyOf(changedShares.values()), Map.copyOf(served)),
        new Changes.OfInbox(List.copyOf(received), List.copyOf(judged)),
        List.copyOf(audits));
  }
}
