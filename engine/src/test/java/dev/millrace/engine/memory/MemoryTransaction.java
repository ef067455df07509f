package dev.millrace.engine.memory;

import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.money.LedgerLine;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Callback;
import dev.millrace.engine.port.Changes;
import dev.millrace.engine.port.Row;
import dev.millrace.engine.port.Share;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** One transaction, which insists on the order of locks and on writing only what it locked. */
final class MemoryTransaction implements StepByStep {

  /** In the order in which they may happen; each may repeat, none may come back. */
  private enum Phase {
    WALLETS,
    SHARES,
    JOBS,
    CALLBACKS,
    CLOCK,
    WRITE
  }

  private final MemoryTables tables;
  private final Locks locks;
  private final Supplier<Instant> clock;
  private final List<Changes> written = new ArrayList<>();
  private final Set<Long> lockedWallets = new HashSet<>();
  private final Set<Wallet.Owner> lockedOwners = new HashSet<>();
  private final Set<Share.Id> lockedShares = new HashSet<>();
  private final Set<JobId> lockedJobs = new HashSet<>();
  private Phase phase = Phase.WALLETS;

  /** True if it took what was free; then it must not wait for anything that it did not name. */
  private boolean careful;

  MemoryTransaction(MemoryTables tables, Locks locks, Supplier<Instant> clock) {
    this.tables = tables;
    this.locks = locks;
    this.clock = clock;
  }

  /** What is to be in the tables once this commits. */
  List<Changes> written() {
    return written;
  }

  /** Lets go of all locks, at a commit and at a rollback. */
  void release() {
    locks.releaseAll(this);
  }

  private void take(Object row) {
    if (careful && !locks.holds(row, this)) {
      throw new IllegalStateException("it may have to wait for " + row + ", and did not name it");
    }
    locks.take(row, this);
  }

  private void enter(Phase next) {
    if (next.compareTo(phase) < 0) {
      throw new IllegalStateException(next + " after " + phase + " could deadlock or be stale");
    }
    phase = next;
  }

  @Override
  public Map<Wallet.Owner, Wallet> lockWallets(Set<Wallet.Owner> owners) {
    enter(Phase.WALLETS);
    Map<Wallet.Owner, Wallet> found = new HashMap<>();
    for (Wallet wallet : byId(owners.stream().map(tables::walletOf))) {
      take(wallet.owner());
      lockedWallets.add(wallet.id());
      lockedOwners.add(wallet.owner());
      found.put(wallet.owner(), wallet);
    }
    return found;
  }

  private static List<Wallet> byId(Stream<Wallet> wallets) {
    return wallets.sorted(Comparator.comparingLong(Wallet::id)).toList();
  }

  @Override
  public Map<Long, Wallet> lockWalletsOf(Set<JobId> jobs) {
    enter(Phase.WALLETS);
    Map<Long, Wallet> found = new TreeMap<>();
    for (Wallet wallet : byId(jobs.stream().flatMap(this::payer))) {
      take(wallet.owner());
      lockedWallets.add(wallet.id());
      found.put(wallet.id(), wallet);
    }
    return found;
  }

  private Stream<Wallet> payer(JobId id) {
    Job job = tables.jobs.get(id);
    return job == null ? Stream.empty() : Stream.of(tables.walletOf(tables.owner(job)));
  }

  @Override
  public Map<KeyScope, KeyUse> findKeys(Set<KeyScope> keys) {
    Map<KeyScope, KeyUse> found = new HashMap<>();
    for (KeyScope scope : keys) {
      require(lockedOwners.contains(scope.owner()), "a key is steady only under a lock");
      KeyUse use = tables.keys.get(scope);
      if (use != null) {
        found.put(scope, use);
      }
    }
    return found;
  }

  @Override
  public OptionalLong payment(long walletId, String key) {
    require(lockedWallets.contains(walletId), "a payment is steady only under a lock");
    return tables.ledger.stream()
        .filter(line -> line.walletId() == walletId && key.equals(line.key()))
        .mapToLong(LedgerLine::amount)
        .findFirst();
  }

  @Override
  public Map<Recent, JobId> findRecent(Set<Recent> scopes) {
    Map<Recent, JobId> found = new HashMap<>();
    for (Recent scope : scopes) {
      require(lockedOwners.contains(scope.owner()), "a request is steady only under a lock");
      Instant newest = clock.get().minus(scope.window());
      for (Changes.NewJob row : tables.made.values()) {
        Job job = Objects.requireNonNull(tables.jobs.get(row.job().id()));
        if (tables.owner(job).equals(scope.owner())
            && row.fingerprint().equals(scope.fingerprint())
            && (job.state().live()
                || job.state() == State.COMPLETED
                || job.state() == State.REJECTED)
            && !job.afterEnd().deleted()
            && job.times().createdAt().isAfter(newest)) {
          newest = job.times().createdAt();
          found.put(scope, job.id());
        }
      }
    }
    return found;
  }

  @Override
  public Optional<BatchUse> findBatch(long walletId, String key) {
    require(lockedWallets.contains(walletId), "a key is steady only under a lock");
    return tables.batches.values().stream()
        .filter(batch -> batch.walletId() == walletId && key.equals(batch.key()))
        .map(batch -> new BatchUse(batch.id(), batch.fingerprint()))
        .findAny();
  }

  @Override
  public Map<Share.Id, Share> lockShares(Set<Share.Id> keys) {
    enter(Phase.SHARES);
    lockedShares.addAll(keys);
    Map<Share.Id, Share> found = new HashMap<>();
    for (Share.Id key : new TreeSet<>(keys)) {
      take(key);
      long served = tables.served.getOrDefault(key.workflowId(), 0L);
      found.put(key, new Share(key, served, tables.finishes.getOrDefault(key, 0L)));
    }
    return found;
  }

  @Override
  public Map<JobId, Job> lockJobs(Set<JobId> ids) {
    enter(Phase.JOBS);
    lockedJobs.addAll(ids);
    Map<JobId, Job> found = new HashMap<>();
    for (JobId id : new TreeSet<>(ids)) {
      take(id);
      Job job = tables.jobs.get(id);
      if (job != null) {
        found.put(id, job);
      }
    }
    return found;
  }

  @Override
  public Map<JobId, List<Item>> outputsOf(Set<JobId> ids) {
    Map<JobId, List<Item>> found = new HashMap<>();
    for (JobId id : ids) {
      require(lockedJobs.contains(id), "outputs are steady only under a lock");
      Job job = tables.jobs.get(id);
      if (job != null) {
        found.put(
            id,
            tables.outputsOf(id).stream()
                .filter(output -> output.attempt() == job.tries().attempts())
                .map(output -> output.file().id())
                .map(item -> new Item(item, tables.reviewed.get(item)))
                .toList());
      }
    }
    return found;
  }

  @Override
  public Map<Callback.Id, Callback> lockCallbacks(Set<Callback.Id> ids) {
    enter(Phase.CALLBACKS);
    Map<Callback.Id, Callback> found = new HashMap<>();
    for (Callback.Id id : new TreeSet<>(ids)) {
      Callback callback = tables.inbox.get(id);
      if (callback != null) {
        take(id);
        found.put(id, callback);
      }
    }
    return found;
  }

  @Override
  public Map<String, Integer> lockSlots(SortedSet<String> workers) {
    enter(Phase.WALLETS);
    Map<String, Integer> free = new HashMap<>();
    for (String worker : workers.stream().sorted().toList()) {
      Integer slots = tables.slots.get(worker);
      if (slots != null) {
        take(Locks.worker(worker));
        free.put(worker, slots - leasedBy(worker));
      }
    }
    return free;
  }

  private int leasedBy(String worker) {
    return (int)
        tables.jobs.values().stream()
            .map(Job::lease)
            .filter(lease -> lease != null && lease.worker().equals(worker))
            .count();
  }

  @Override
  public Caps caps() {
    enter(Phase.WALLETS);
    if (tables.tenantCap > 0 || !tables.effectCaps.isEmpty()) {
      take(new Row.OfCaps());
    }
    Map<Integer, Integer> ofTenant = new HashMap<>();
    Map<Integer, Integer> ofEffect = new HashMap<>();
    for (Job job : tables.jobs.values()) {
      if (job.lease() != null) {
        ofTenant.merge(job.id().tenant(), 1, Integer::sum);
        ofEffect.merge(job.terms().effectId(), 1, Integer::sum);
      }
    }
    return new Caps(tables.tenantCap, tables.effectCaps, ofTenant, ofEffect);
  }

  @Override
  public List<Claim> claim(SortedMap<Integer, Integer> limits, Full full) {
    enter(Phase.JOBS);
    Map<Integer, Integer> left = new HashMap<>(limits);
    List<Claim> claims = new ArrayList<>();
    for (Changes.NewJob row : queueOrder()) {
      Job job = Objects.requireNonNull(tables.jobs.get(row.job().id()));
      int room = left.getOrDefault(job.terms().workflowId(), 0);
      if (room > 0
          && (lockedJobs.contains(job.id()) || locks.free(job.id()))
          && !paused(job)
          && !full.tenants().contains(job.id().tenant())
          && !full.effects().contains(job.terms().effectId())) {
        left.put(job.terms().workflowId(), room - 1);
        locks.take(job.id(), this);
        lockedJobs.add(job.id());
        claims.add(new Claim(job, place(row), row.input()));
      }
    }
    return claims;
  }

  /** Waits for nobody, so the order of the others doesn't bind it. */
  @Override
  public Set<Row> lockFree(Set<Row> rows) {
    careful = true;
    Set<Row> busy = new HashSet<>();
    for (Row row : rows) {
      if (!locks.tryTake(locked(row), this)) {
        busy.add(row);
      }
    }
    return busy;
  }

  /** What the other methods lock for it; itself if there is no such row. */
  private Object locked(Row row) {
    return switch (row) {
      case Row.OfWallet(Wallet.Owner owner) -> owner;
      case Row.OfPayer(JobId id) -> {
        Job job = tables.jobs.get(id);
        yield job == null ? row : tables.owner(job);
      }
      case Row.OfShare(Share.Id key) -> key;
      case Row.OfJob(JobId id) -> id;
      case Row.OfCallback(Callback.Id id) -> id;
      case Row.OfWorker(String worker) -> Locks.worker(worker);
      case Row.OfCaps caps -> caps;
    };
  }

  private boolean paused(Job job) {
    return tables.pausedWorkflows.contains(job.terms().workflowId())
        || tables.pausedEffects.contains(job.terms().effectId());
  }

  private long place(Changes.NewJob row) {
    return Objects.requireNonNull(tables.places.get(row.job().id()));
  }

  private List<Changes.NewJob> queueOrder() {
    return tables.made.values().stream()
        .filter(row -> stateOf(row) == State.QUEUED)
        .sorted(
            Comparator.comparingInt((Changes.NewJob row) -> -row.job().terms().priority())
                .thenComparingLong(this::place)
                .thenComparing(row -> row.job().id()))
        .toList();
  }

  private State stateOf(Changes.NewJob row) {
    return Objects.requireNonNull(tables.jobs.get(row.job().id())).state();
  }

  @Override
  public Instant now() {
    enter(Phase.CLOCK);
    return clock.get();
  }

  @Override
  public void write(Changes changes) {
    enter(Phase.WRITE);
    changes.wallets().forEach(w -> require(lockedWallets.contains(w.id()), "wallet not locked"));
    changes.shares().forEach(s -> require(lockedShares.contains(s.key()), "share not locked"));
    changes.changed().forEach(j -> require(lockedJobs.contains(j.id()), "job not locked"));
    written.add(changes);
  }

  private static void require(boolean held, String otherwise) {
    if (!held) {
      throw new IllegalStateException(otherwise);
    }
  }
}
