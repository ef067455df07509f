package dev.millrace.engine.memory;

import dev.millrace.engine.job.Attempt;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobEvent;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.money.LedgerLine;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Changes;
import dev.millrace.engine.port.Share;
import dev.millrace.engine.port.Transaction.KeyScope;
import dev.millrace.engine.port.Transaction.KeyUse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

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
  public final List<Changes.StoredOutput> outputs = new ArrayList<>();

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
    begun.addAll(changes.begun());
    ended.addAll(changes.ended());
    outputs.addAll(changes.outputs());
    changes.shares().forEach(share -> finishes.put(share.key(), share.finish()));
    changes.served().forEach((workflow, start) -> served.merge(workflow, start, Math::max));
  }

  private void insert(Changes.NewJob row) {
    Job job = row.job();
    if (jobs.put(job.id(), job) != null) {
      throw new IllegalStateException("a job with this id exists: " + job.id());
    }
    made.put(job.id(), row);
    if (row.key() != null) {
      KeyScope scope = new KeyScope(job.facts().walletId(), row.key());
      if (keys.put(scope, new KeyUse(job.id(), row.fingerprint())) != null) {
        throw new IllegalStateException("a job with this key exists: " + scope);
      }
    }
  }
}
