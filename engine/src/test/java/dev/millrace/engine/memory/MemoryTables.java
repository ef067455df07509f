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
import java.util.List;
import java.util.Map;
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
  public final Map<Share.Key, Long> finishes = new TreeMap<>();
  public final Map<Integer, Long> served = new TreeMap<>();
  public final List<LedgerLine> ledger = new ArrayList<>();
  public final List<JobEvent> events = new ArrayList<>();
  public final List<Attempt.Begun> begun = new ArrayList<>();
  public final List<Attempt.Ended> ended = new ArrayList<>();
  public final List<Attempt.Intended> intended = new ArrayList<>();
  public final List<Attempt.Accepted> accepted = new ArrayList<>();
  public final List<Changes.StoredOutput> outputs = new ArrayList<>();
  public final List<Changes.Withheld> withheld = new ArrayList<>();
  public final Map<JobId, Long> places = new TreeMap<>();
  public final Map<UUID, Changes.NewBatch> batches = new TreeMap<>();
  public final Map<Callback.Id, Callback> inbox = new TreeMap<>();
  public final List<AuditLine> audits = new ArrayList<>();
  public final Set<Integer> pausedWorkflows = new TreeSet<>();
  public final Set<Integer> pausedEffects = new TreeSet<>();

  /** The owner's wallet, made on first use. */
  Wallet walletOf(Wallet.Owner owner) {
    return wallets.values().stream()
        .filter(wallet -> wallet.owner().equals(owner))
        .findAny()
        .orElseGet(() -> {
          Wallet wallet = new Wallet(wallets.size() + 1L, owner, 0);
          wallets.put(wallet.id(), wallet);
          return wallet;
        });
  }

  public List<JobEvent> eventsOf(JobId job) {
    return events.stream().filter(event -> event.job().equals(job)).toList();
  }

  public List<LedgerLine> ledgerOf(JobId job) {
    return ledger.stream().filter(line -> job.uuid().equals(line.job())).toList();
  }

  public List<Attempt.Ended> endedOf(JobId job) {
    return ended.stream().filter(attempt -> attempt.job().equals(job)).toList();
  }

  void write(Changes changes) {
    for (Changes.NewJob row : changes.created()) {
      insert(row);
    }
    for (Job job : changes.changed()) {
      if (jobs.put(job.id(), job) == null) {
        throw new IllegalStateException("changed a job that does not exist: " + job.id());
      }
    }
    for (Wallet wallet : changes.wallets()) {
      if (wallets.put(wallet.id(), wallet) == null) {
        throw new IllegalStateException("changed a wallet that does not exist: " + wallet.id());
      }
    }
    events.addAll(changes.events());
    ledger.addAll(changes.ledger());
    changes.attempts().forEach(this::note);
    withheld.addAll(changes.withheld());
    audits.addAll(changes.audits());
    changes.placed().forEach(row -> places.put(row.job(), row.virtualStart()));
    changes.received().forEach(callback -> inbox.putIfAbsent(callback.id(), callback));
    changes.judged().forEach(this::judge);
    changes.batches().forEach(batch -> batches.put(batch.id(), batch));
    outputs.addAll(changes.outputs());
    changes.shares().forEach(share -> finishes.put(share.key(), share.finish()));
    changes.served().forEach((workflow, start) -> served.merge(workflow, start, Math::max));
  }

  private void note(Attempt attempt) {
    switch (attempt) {
      case Attempt.Begun begins -> begun.add(begins);
      case Attempt.Ended ends -> ended.add(ends);
      case Attempt.Intended intends -> intended.add(intends);
      case Attempt.Accepted accepts -> accepted.add(accepts);
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
    if (jobs.put(job.id(), job) != null) {
      throw new IllegalStateException("a job with this id exists: " + job.id());
    }
    made.put(job.id(), row);
    places.put(job.id(), row.virtualStart());
    if (row.key() != null) {
      KeyScope scope = new KeyScope(job.facts().walletId(), row.key());
      if (keys.put(scope, new KeyUse(job.id(), row.fingerprint())) != null) {
        throw new IllegalStateException("a job with this key exists: " + scope);
      }
    }
  }
}
