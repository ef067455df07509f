package dev.millrace.postgres.doctor;

import dev.millrace.engine.port.Store;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;

/**
 * Runs every invariant on one snapshot of a live database. It only reads, takes no lock that a
 * writer could wait for, and gives up on a law that takes too long.
 */
public final class Doctor {

  /** Enough to see what is wrong; a broken law may have millions of rows. */
  static final int MOST_EXAMPLES = 20;

  /** Counting more would cost more than it tells. */
  static final int MOST_COUNTED = 10_000;

  private static final String IN_ALL = "violations_in_all";

  private static final String LIMIT =
      """
      select set_config('statement_timeout', :law, true) as law,
          set_config('lock_timeout', :lock, true) as lock
      """;

  private static final String STEADY =
      """
      lock table ledger, job_event in access share mode
      """;

  private static final String QUERY_CANCELED = "57014";
  private static final String LOCK_NOT_AVAILABLE = "55P03";

  private final Jdbi jdbi;
  private final CheckLimits patience;

  /** An examination keeps a connection busy, so one at a time is enough. */
  private final Lock one = new ReentrantLock();

  public Doctor(Jdbi jdbi, CheckLimits patience) {
    this.jdbi = jdbi;
    this.patience = patience;
  }

  public List<LawFinding> examine() {
    return examine(invariants());
  }

  List<LawFinding> examine(List<Invariant> laws) {
    await();
    try {
      return jdbi.inTransaction(
          TransactionIsolationLevel.REPEATABLE_READ,
          handle -> {
            handle.setReadOnly(true);
            return examine(handle, laws);
          });
    } finally {
      one.unlock();
    }
  }

  private void await() {
    try {
      if (!one.tryLock(patience.run().toMillis(), TimeUnit.MILLISECONDS)) {
        throw new TimeoutException("one after the other");
      }
    } catch (TimeoutException e) {
      throw new Store.Unavailable("other examinations are under way", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Store.Unavailable("interrupted while another examination is under way", e);
    }
  }

  /** In a transaction that is open already, and sees what it did itself. */
  List<LawFinding> examine(Handle handle, List<Invariant> laws) {
    long start = System.nanoTime();
    holdTables(handle);
    List<LawFinding> findings = new ArrayList<>();
    for (Invariant law : laws) {
      Duration left = patience.run().minusNanos(System.nanoTime() - start);
      findings.add(examine(handle, law, left));
    }
    return findings;
  }

  /**
   * A snapshot is of rows, not of tables: a month that is taken out after the snapshot was made
   * would be gone for it, though the wallets still look as before. The first query makes the
   * snapshot; setting and locking are none. If a table can't be had, the laws about it say so.
   */
  private void holdTables(Handle handle) {
    handle.savepoint("steady");
    try {
      handle.execute("set local lock_timeout = " + patience.lock().toMillis());
      handle.execute(STEADY);
      handle.releaseSavepoint("steady");
    } catch (JdbiException e) {
      reason(e, patience.lock());
      handle.rollbackToSavepoint("steady");
    }
  }

  static List<Invariant> invariants() {
    return Stream.of(
            MoneyLaws.ALL,
            HistoryLaws.ALL,
            DispatchLaws.ALL,
            ProviderLaws.ALL,
            OwnershipLaws.ALL,
            ShapeLaws.ALL,
            WebhookLaws.ALL)
        .flatMap(List::stream)
        .toList();
  }

  private LawFinding examine(Handle handle, Invariant law, Duration left) {
    if (left.toMillis() < 1) {
      return LawFinding.notChecked(
          law, "the laws before it took all of the %d s".formatted(patience.run().toSeconds()));
    }
    Duration time = left.compareTo(patience.law()) < 0 ? left : patience.law();
    handle
        .createQuery(LIMIT)
        .bind("law", time.toMillis() + "ms")
        .bind("lock", patience.lock().toMillis() + "ms")
        .mapToMap()
        .one();
    handle.savepoint(law.name());
    try {
      LawFinding finding = ask(handle, law);
      handle.releaseSavepoint(law.name());
      return finding;
    } catch (JdbiException e) {
      String reason = reason(e, time);
      // The snapshot stays the same, so the next law is checked on the same data.
      handle.rollbackToSavepoint(law.name());
      return LawFinding.notChecked(law, reason);
    }
  }

  private static LawFinding ask(Handle handle, Invariant law) {
    List<Map<String, Object>> rows = handle.createQuery(counting(law)).mapToMap().list();
    long violations = 0;
    for (Map<String, Object> row : rows) {
      violations = row.remove(IN_ALL) instanceof Number number ? number.longValue() : 0;
    }
    return LawFinding.of(law, rows, violations, MOST_COUNTED);
  }

  /** A few of the violations, each with how many there are. */
  private static String counting(Invariant law) {
    return """
    select v.*, count(*) over () as %s
    from (
    %s
    limit %d) v
    limit %d
    """
        .formatted(IN_ALL, law.sql(), MOST_COUNTED, MOST_EXAMPLES);
  }

  /** Why a law could not be checked; anything but impatience is thrown on. */
  private String reason(JdbiException trouble, Duration time) {
    if (trouble.getCause() instanceof SQLException sql) {
      if (QUERY_CANCELED.equals(sql.getSQLState())) {
        return "it took longer than %d ms".formatted(time.toMillis());
      }
      if (LOCK_NOT_AVAILABLE.equals(sql.getSQLState())) {
        return "a table was locked for more than %d ms, as during a migration"
            .formatted(patience.lock().toMillis());
      }
    }
    throw trouble;
  }
}
