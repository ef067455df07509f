package dev.millrace.postgres.store;

import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Callback;
import dev.millrace.engine.port.Changes;
import dev.millrace.engine.port.Row;
import dev.millrace.engine.port.Share;
import dev.millrace.engine.port.Transaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The port's verbs on one connection; each is one or two statements. */
final class PgTransaction implements Transaction {

  private static final Logger LOG = LoggerFactory.getLogger(PgTransaction.class);
  private static final String CLOCK = "select clock_timestamp() as now";

  private final Connection connection;
  private final int tenantCap;
  private final String node;
  private final SeenRows known;

  /** What was found or made here, and is known to all once it is committed. */
  private final Map<Wallet.Owner, Long> wallets = new HashMap<>();

  private final Set<Share.Id> shares = new HashSet<>();
  private final List<Job> claimed = new ArrayList<>();
  private final List<JobId> over = new ArrayList<>();

  /** The jobs as they were when they were locked. */
  private final Map<JobId, Job> before = new HashMap<>();

  /** What is to be written with the commit. */
  private final Pipeline writes = new Pipeline();

  /** The time after the newest lock; null if it has to be asked for. */
  private @Nullable Instant clock;

  PgTransaction(Connection connection, int tenantCap, String node, SeenRows known) {
    this.connection = connection;
    this.tenantCap = tenantCap;
    this.node = node;
    this.known = known;
  }

  /** Carries an SQLException through the engine, which knows nothing of SQL. */
  static final class Failed extends RuntimeException {
    private final SQLException sqlException;

    Failed(SQLException cause) {
      super(cause);
      this.sqlException = cause;
    }

    SQLException sqlException() {
      return sqlException;
    }
  }

  private interface Call<R> {
    R run() throws SQLException;
  }

  private <R> R sql(Call<R> call) {
    if (!writes.isEmpty()) {
      throw new IllegalStateException("what is written is the last of a transaction");
    }
    try {
      return call.run();
    } catch (SQLException e) {
      throw new Failed(e);
    }
  }

  /** Sets something for this transaction; nothing if the text is empty. */
  void set(String settings) {
    if (!settings.isEmpty()) {
      run(new Pipeline().read(settings, List.of(), null));
    }
  }

  @Override
  public Set<Row> lockFree(Set<Row> rows) {
    Set<Wallet.Owner> owners = new HashSet<>();
    Set<Share.Id> places = new HashSet<>();
    for (Row row : rows) {
      if (row instanceof Row.OfWallet(Wallet.Owner owner)) {
        owners.add(owner);
      } else if (row instanceof Row.OfShare(Share.Id share)) {
        places.add(share);
      }
    }
    make(owners, places);
    FreeLocks locks = new FreeLocks(rows, wallets, tenantCap);
    run(locks.pipeline());
    return locks.busy();
  }

  @Override
  public Opened open(Opening wanted) {
    Opened opened = new Opened(new HashMap<>(), new HashMap<>(), new HashMap<>(), new HashMap<>());
    make(wanted.owners(), wanted.shares());
    Pipeline pipeline = new Pipeline();
    WalletSql.lock(
        pipeline, wallets.values(), wallet -> opened.wallets().put(wallet.owner(), wallet));
    JobSql.findKeys(pipeline, wanted.keys(), wallets, opened.keys());
    JobSql.findRecent(pipeline, wanted.recents(), wallets, opened.recent());
    ShareSql.lock(pipeline, wanted.shares(), opened.shares());
    timed(pipeline, opened);
    requireAll(wanted.owners(), opened.wallets());
    requireAll(wanted.shares(), opened.shares());
    return opened;
  }

  /** Makes what does not exist yet, before any lock is held. */
  private void make(Set<Wallet.Owner> owners, Set<Share.Id> places) {
    Pipeline pipeline = new Pipeline();
    WalletSql.make(pipeline, known.strangers(owners, wallets), wallets);
    ShareSql.make(pipeline, known.unknown(places));
    shares.addAll(places);
    run(pipeline);
  }

  private <K> void requireAll(Set<K> wanted, Map<K, ?> found) {
    if (!found.keySet().containsAll(wanted)) {
      known.forget();
      throw new IllegalStateException("a wallet or a place in a queue is gone");
    }
  }

  @Override
  public Held hold(Set<JobId> settled, Set<Share.Id> places, Set<JobId> jobs) {
    Held held = new Held(new HashMap<>(), new HashMap<>(), new HashMap<>());
    make(Set.of(), places);
    Pipeline pipeline = new Pipeline();
    lockPayers(pipeline, settled, wallet -> held.wallets().put(wallet.id(), wallet));
    ShareSql.lock(pipeline, places, held.shares());
    JobSql.lock(pipeline, jobs, held.jobs());
    timed(pipeline, held);
    before.putAll(held.jobs());
    requireAll(places, held.shares());
    requirePayers(settled, held);
    return held;
  }

  /** In one statement, so that they are locked in one order. */
  private void lockPayers(Pipeline pipeline, Set<JobId> settled, Consumer<Wallet> found) {
    Set<Long> payers = known.payersOf(settled);
    if (payers.isEmpty()) {
      WalletSql.lockPayers(pipeline, settled, found);
    } else {
      WalletSql.lock(pipeline, payers, found);
    }
  }

  private void requirePayers(Set<JobId> settled, Held held) {
    for (JobId id : settled) {
      Job job = held.jobs().get(id);
      if (job != null && !held.wallets().containsKey(job.terms().walletId())) {
        known.forget();
        throw new IllegalStateException("the wallet that pays for " + id + " is another one");
      }
    }
  }

  @Override
  public Map<Wallet.Owner, Wallet> lockWallets(Set<Wallet.Owner> owners) {
    return open(new Opening(owners, Set.of(), Set.of(), Set.of())).wallets();
  }

  @Override
  public OptionalLong payment(long walletId, String key) {
    return sql(() -> WalletSql.payment(connection, walletId, key));
  }

  @Override
  public Optional<BatchUse> findBatch(long walletId, String key) {
    return sql(() -> BatchSql.find(connection, walletId, key));
  }

  @Override
  public Map<JobId, Job> lockJobs(Set<JobId> ids) {
    return hold(Set.of(), Set.of(), ids).jobs();
  }

  @Override
  public Map<JobId, List<Item>> outputsOf(Set<JobId> ids) {
    return sql(() -> JobSql.outputsOf(connection, ids));
  }

  @Override
  public Map<Callback.Id, Callback> lockCallbacks(Set<Callback.Id> ids) {
    clock = null;
    return sql(() -> InboxSql.lock(connection, ids));
  }

  @Override
  public Offered offer(SortedSet<String> workers, SortedMap<Integer, Integer> limits) {
    Caps caps = new Caps(tenantCap, new HashMap<>(), new HashMap<>(), new HashMap<>());
    Offered offered = new Offered(new HashMap<>(), caps, new ArrayList<>());
    Pipeline pipeline = new Pipeline();
    SlotSql.lock(pipeline, workers, offered.slots());
    CapSql.read(pipeline, caps);
    ClaimSql.claim(pipeline, limits, Full.NONE, offered.claims());
    timed(pipeline, offered);
    keep(offered.claims());
    return offered;
  }

  @Override
  public List<Claim> claim(SortedMap<Integer, Integer> limits, Full full) {
    List<Claim> claims = new ArrayList<>();
    Pipeline pipeline = new Pipeline();
    ClaimSql.claim(pipeline, limits, full, claims);
    timed(pipeline, claims);
    keep(claims);
    return claims;
  }

  private void keep(List<Claim> claims) {
    for (Claim claim : claims) {
      before.put(claim.job().id(), claim.job());
      claimed.add(claim.job());
    }
  }

  @Override
  public Instant now() {
    if (clock == null) {
      timed(new Pipeline(), connection);
    }
    return Objects.requireNonNull(clock);
  }

  private void run(Pipeline pipeline) {
    sql(() -> {
      pipeline.run(connection);
      return pipeline;
    });
  }

  /** Runs what locks, and reads the clock after it on the same way. */
  private <R> R timed(Pipeline locking, R found) {
    run(locking.read(CLOCK, List.of(), row -> clock = Rows.instant(row, "now")));
    return found;
  }

  @Override
  public void write(Changes changes) {
    for (Job job : changes.changed()) {
      if (job.state().terminal()) {
        over.add(job.id());
      }
    }
    MoneyWrites.write(writes, changes);
    JobWrites.write(writes, changes, before);
    HistoryWrites.write(writes, changes);
    BatchSql.write(writes, changes);
    InboxSql.write(writes, changes);
    AuditWrites.write(writes, changes);
    NotifySql.write(writes, changes, node);
  }

  /** What was written and the commit travel together: nobody holds a lock for one way more. */
  void commit() throws SQLException {
    if (writes.isEmpty()) {
      connection.commit();
    } else {
      writes.commit().run(connection);
    }
    remember();
  }

  /**
   * It is committed, so nothing here may look like a failure; what isn't learned is asked again.
   */
  private void remember() {
    try {
      known.learn(wallets, shares);
      known.learn(claimed);
      known.forget(over);
    } catch (RuntimeException | Error e) {
      LOG.warn("Could not remember what was committed", e);
    }
  }
}
