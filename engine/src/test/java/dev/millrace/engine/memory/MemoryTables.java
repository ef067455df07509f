package dev.millrace.engine.memory;

import dev.millrace.engine.job.Attempt;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobEvent;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.money.LedgerLine;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.AuditLine;
import dev.millrace.engine.port.Callback;
import dev.millrace.engine.port.Changes;
import dev.millrace.engine.port.Share;
import dev.millrace.engine.port.Transaction.KeyScope;
import dev.millrace.engine.port.Transaction.KeyUse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/** The rows. Append-only tables are lists in the order of writing. */
public final class MemoryTables {

  public final Map<Long, Wallet> wallets = new TreeMap<>();
  public final Map<JobId, Job> jobs = new TreeMap<>();
  public final Map<JobId, Changes.NewJob> made = new TreeMap<>();
  public final Map<KeyScope, KeyUse> keys = new HashMap<>();
  public final Map<Share.Id, Long> finishes = new TreeMap<>();
  public final Map<Integer, Long> served = new TreeMap<>();
  public final List<LedgerLine> ledger = new ArrayList<>();
  public final List<JobEvent> events = new ArrayList<>();
  public final List<Attempt.Begun> begun = new ArrayList<>();
  public final List<Attempt.Ended> ended = new ArrayList<>();
  public final List<Attempt.Intended> intended = new ArrayList<>();
  public final List<Attempt.Unconfirmed> unconfirmed = new ArrayList<>();
  public final List<Attempt.Accepted> accepted = new ArrayList<>();
  public final List<Changes.JobOutput> outputs = new ArrayList<>();
  public final List<Changes.Withheld> withheld = new ArrayList<>();
  public final Map<UUID, Boolean> reviewed = new HashMap<>();
  public final Map<JobId, Long> places = new TreeMap<>();

  /** Where a tenant has left a place, because its job was sent to another queue. */
  final Set<Share.Id> left = new HashSet<>();

  public final Map<UUID, Changes.NewBatch> batches = new TreeMap<>();
  public final Map<Callback.Id, Callback> inbox = new TreeMap<>();
  public final List<AuditLine> audits = new ArrayList<>();
  public final Set<Integer> pausedWorkflows = new TreeSet<>();
  public final Set<Integer> pausedEffects = new TreeSet<>();

  /** How many jobs each enrolled worker may hold at once. */
  public final Map<String, Integer> slots = new HashMap<>();

  /** How many jobs of a tenant may run at once; 0 for any number. */
  public int tenantCap;

  public final Map<Integer, Integer> effectCaps = new HashMap<>();
  private final Map<UUID, Lines> lines = new HashMap<>();

  /** The owner's wallet, made on first use. */
  Wallet walletOf(Wallet.Owner owner) {
    for (Wallet wallet : wallets.values()) {
      if (wallet.owner().equals(owner)) {
        return wallet;
      }
    }
    Wallet wallet = new Wallet(wallets.size() + 1L, owner, 0);
    wallets.put(wallet.id(), wallet);
    return wallet;
  }

  public List<JobEvent> eventsOf(JobId job) {
    return of(job).events;
  }

  public List<LedgerLine> ledgerOf(JobId job) {
    return of(job).ledger;
  }

  public List<Attempt.Begun> begunOf(JobId job) {
    return of(job).begun;
  }

  public List<Attempt.Ended> endedOf(JobId job) {
    return of(job).ended;
  }

  public List<Attempt.Intended> intendedOf(JobId job) {
    return of(job).intended;
  }

  public List<Attempt.Unconfirmed> unconfirmedOf(JobId job) {
    return of(job).unconfirmed;
  }

  public List<Attempt.Accepted> acceptedOf(JobId job) {
    return of(job).accepted;
  }

  public List<Changes.JobOutput> outputsOf(JobId job) {
    return of(job).outputs;
  }

  /** The same lines as in the tables, by job, because looking for them would take all the time. */
  private static final class Lines {
    private final List<JobEvent> events = new ArrayList<>();
    private final List<LedgerLine> ledger = new ArrayList<>();
    private final List<Attempt.Begun> begun = new ArrayList<>();
    private final List<Attempt.Ended> ended = new ArrayList<>();
    private final List<Attempt.Intended> intended = new ArrayList<>();
    private final List<Attempt.Unconfirmed> unconfirmed = new ArrayList<>();
    private final List<Attempt.Accepted> accepted = new ArrayList<>();
    private final List<Changes.JobOutput> outputs = new ArrayList<>();
  }

  private Lines of(JobId job) {
    return of(job.uuid());
  }

  private Lines of(UUID job) {
    return lines.computeIfAbsent(job, _ -> new Lines());
  }

  /** Appends what a transaction wrote. What it refuses, it refuses before the first change. */
  void write(Changes changes) {
    require(changes);
    for (Changes.NewJob row : changes.created()) {
      insert(row);
    }
    changes.changed().forEach(this::change);
    changes.wallets().forEach(wallet -> wallets.put(wallet.id(), wallet));
    append(changes);
    withheld.addAll(changes.withheld());
    changes.reviewed().forEach(one -> reviewed.put(one.file(), one.approved()));
    audits.addAll(changes.audits());
    changes.placed().forEach(row -> places.put(row.job(), row.virtualStart()));
    changes.received().forEach(callback -> inbox.putIfAbsent(callback.id(), callback));
    changes.judged().forEach(this::judge);
    changes.batches().forEach(batch -> batches.put(batch.id(), batch));
    changes.shares().forEach(share -> finishes.put(share.key(), share.finish()));
    changes.served().forEach((workflow, start) -> served.merge(workflow, start, Math::max));
  }

  private void change(Job job) {
    Job before = Objects.requireNonNull(jobs.put(job.id(), job));
    if (before.terms().workflowId() != job.terms().workflowId()) {
      left.add(new Share.Id(before.terms().workflowId(), job.id().tenant()));
    }
  }

  private void require(Changes changes) {
    for (Changes.NewJob row : changes.created()) {
      JobId id = row.job().id();
      require(!jobs.containsKey(id), "a job with this id exists: ", id);
      if (row.key() != null) {
        KeyScope scope = scope(row);
        require(!keys.containsKey(scope), "a job with this key exists: ", scope);
      }
    }
    for (Job job : changes.changed()) {
      require(jobs.containsKey(job.id()), "changed a job that does not exist: ", job.id());
    }
    for (Wallet wallet : changes.wallets()) {
      require(wallets.containsKey(wallet.id()), "changed a wallet that does not exist: ", wallet);
    }
  }

  private static void require(boolean fine, String otherwise, Object what) {
    if (!fine) {
      throw new IllegalStateException(otherwise + what);
    }
  }

  private KeyScope scope(Changes.NewJob row) {
    return new KeyScope(owner(row.job()), Objects.requireNonNull(row.key()));
  }

  /** Who pays for a job. */
  Wallet.Owner owner(Job job) {
    return Objects.requireNonNull(wallets.get(job.terms().walletId())).owner();
  }

  private void append(Changes changes) {
    events.addAll(changes.events());
    changes.events().forEach(event -> of(event.job()).events.add(event));
    ledger.addAll(changes.ledger());
    for (LedgerLine line : changes.ledger()) {
      if (line.job() != null) {
        of(line.job()).ledger.add(line);
      }
    }
    changes.attempts().forEach(this::note);
    outputs.addAll(changes.outputs());
    changes.outputs().forEach(output -> of(output.job()).outputs.add(output));
  }

  private void note(Attempt attempt) {
    Lines of = of(attempt.job());
    switch (attempt) {
      case Attempt.Begun begins -> {
        begun.add(begins);
        of.begun.add(begins);
      }
      case Attempt.Ended ends -> {
        ended.add(ends);
        of.ended.add(ends);
      }
      case Attempt.Intended intends -> {
        intended.add(intends);
        of.intended.add(intends);
      }
      case Attempt.Unconfirmed doubts -> {
        unconfirmed.add(doubts);
        of.unconfirmed.add(doubts);
      }
      case Attempt.Accepted accepts -> {
        // The first reference stays, however often it is said.
        if (of.accepted.stream().noneMatch(before -> before.number() == accepts.number())) {
          accepted.add(accepts);
          of.accepted.add(accepts);
        }
      }
    }
  }

  private void judge(Changes.Judged judged) {
    Callback before = inbox.get(judged.id());
    if (before == null || !before.waiting()) {
      throw new IllegalStateException("judged twice: " + judged);
    }
    inbox.put(judged.id(), before.as(judged.verdict()));
  }

  private void insert(Changes.NewJob row) {
    Job job = row.job();
    jobs.put(job.id(), job);
    made.put(job.id(), row);
    places.put(job.id(), row.virtualStart());
    if (row.key() != null) {
      keys.put(scope(row), new KeyUse(job.id(), row.fingerprint()));
    }
  }
}
