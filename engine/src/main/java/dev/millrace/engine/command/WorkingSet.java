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
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.lifecycle.Trigger;
import dev.millrace.engine.money.Hold;
import dev.millrace.engine.money.LedgerLine;
import dev.millrace.engine.money.Wallet;
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

  /**
   * Where a transition leads.
   *
   * @param charge what to keep of the hold if the edge settles it
   */
  record Target(State state, Times times, @Nullable Lease lease, long charge) {}

  private final Instant now;
  private final Map<Long, Wallet> wallets = new HashMap<>();
  private final Map<JobId, Job> jobs = new HashMap<>();
  private final Map<Long, Wallet> changedWallets = new LinkedHashMap<>();
  private final Map<JobId, Job> changedJobs = new LinkedHashMap<>();
  private final Map<Share.Key, Share> changedShares = new LinkedHashMap<>();
  private final Map<Integer, Long> served = new TreeMap<>();
  private final List<Changes.NewJob> created = new ArrayList<>();
  private final List<JobEvent> events = new ArrayList<>();
  private final List<LedgerLine> ledger = new ArrayList<>();
  private final List<Attempt.Begun> begun = new ArrayList<>();
  private final List<Attempt.Ended> ended = new ArrayList<>();
  private final List<Changes.StoredOutput> outputs = new ArrayList<>();

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

  /** A new job whose hold is reserved here. */
  Job create(Job draft, long cost, Changes.NewJob rest) {
    Edge edge =
        Lifecycle.edge(null, Trigger.SUBMIT, draft.state())
            .orElseThrow(() -> new IllegalStateException("no job starts " + draft.state()));
    Hold.Reserved reserved =
        draft.hold().reserve(wallet(draft.facts().walletId()), draft.id().uuid(), cost);
    pay(reserved.wallet(), reserved.lines());
    Job job = draft.with(reserved.hold()).counted(now);
    know(job);
    created.add(
        new Changes.NewJob(
            job,
            rest.virtualStart(),
            rest.input(),
            rest.key(),
            rest.fingerprint(),
            rest.retryOf()));
    events.add(JobEvent.of(job, edge.trigger(), null));
    return job;
  }

  /** Moves a job along an edge of the table; empty, and nothing changed, if there is none. */
  Optional<Job> move(Job job, Trigger trigger, Target target) {
    State from = job.state();
    return Lifecycle.edge(from, trigger, target.state())
        .map(edge -> along(edge, job.in(target.state(), target.times(), target.lease()), target));
  }

  private Job along(Edge edge, Job moved, Target target) {
    Job job = edge.money().settles() ? settled(moved, target.charge()) : moved;
    return record(job, edge.trigger(), edge.from());
  }

  private Job settled(Job job, long charge) {
    Hold.Settled settled =
        job.hold().settle(wallet(job.facts().walletId()), job.id().uuid(), charge);
    pay(settled.wallet(), settled.lines());
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
    pay(entry.wallet(), List.of(entry.line()));
  }

  void begin(Attempt.Begun attempt) {
    begun.add(attempt);
  }

  void end(Job job, String outcome, @Nullable String error) {
    ended.add(new Attempt.Ended(job.id(), job.tries().attempts(), outcome, error, at(job)));
  }

  void store(Job job, List<OutputFile> files) {
    for (OutputFile file : files) {
      outputs.add(
          new Changes.StoredOutput(job.id(), job.facts().walletId(), job.tries().attempts(), file));
    }
  }

  void share(Share share) {
    changedShares.put(share.key(), share);
  }

  void served(int workflowId, long virtualStart) {
    served.merge(workflowId, virtualStart, Math::max);
  }

  private void pay(Wallet wallet, List<LedgerLine> lines) {
    if (lines.isEmpty()) {
      return;
    }
    know(wallet);
    changedWallets.put(wallet.id(), wallet);
    ledger.addAll(lines);
  }

  Changes changes() {
    return new Changes(
        now,
        List.copyOf(created),
        List.copyOf(changedJobs.values()),
        List.copyOf(events),
        List.copyOf(changedWallets.values()),
        List.copyOf(ledger),
        List.copyOf(begun),
        List.copyOf(ended),
        List.copyOf(outputs),
        List.copyOf(changedShares.values()),
        Map.copyOf(served));
  }
}
