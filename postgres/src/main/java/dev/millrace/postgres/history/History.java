package dev.millrace.postgres.history;

import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.List;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;

/**
 * Events and ledger by month: makes room for the months to come, and takes old ones out. Any number
 * of nodes may do so at once; one works, and the others leave it to that one.
 *
 * <p>Whoever changes a partitioned table needs a lock that everybody else waits for. So each step
 * asks for it for a second at most, and gives up for now if somebody is in the way.
 */
public final class History {

  /** In the order in which a transaction writes to them, so that no circle of waits can form. */
  static final List<String> TABLES = List.of("ledger", "job_event");

  private static final String THIS_MONTH =
      """
      select cast(clock_timestamp() at time zone 'UTC' as date)
      """;

  private static final String TRY_LOCK =
      """
      select pg_try_advisory_lock(5571803254017)
      """;

  private static final String UNLOCK =
      """
      select pg_advisory_unlock(5571803254017)
      """;

  private static final String SHORT_PATIENCE =
      """
      set local lock_timeout = '1s'
      """;

  /** As long as the longest step may take; the pool's own limit is for requests. */
  private static final String LONG_STATEMENTS =
      """
      select set_config('statement_timeout', :millis, true)
      """;

  /** A large month takes its time to be added up. */
  private static final Duration LONGEST = Duration.ofHours(2);

  private static final String LOCK_NOT_AVAILABLE = "55P03";
  private static final String DEADLOCK_DETECTED = "40P01";

  private final Jdbi jdbi;

  public History(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** A month whose events and ledger lines were taken out. */
  public record Archived(YearMonth month, long lines, long events) {}

  /** What becomes of the tables that were taken out. */
  public enum Disposal {
    /** They move to the schema {@code archive}, for the operator to dump and drop. */
    KEEP,
    /** They are dropped at once. */
    DROP
  }

  /** The month that it is by the database's clock, in UTC. */
  public YearMonth month() {
    return YearMonth.from(
        jdbi.withHandle(handle -> handle.createQuery(THIS_MONTH).mapTo(LocalDate.class).one()));
  }

  /**
   * Makes the partitions of so many months after this one.
   *
   * @return the names of those that were missing and are there now
   */
  public List<String> ensureAhead(int months) {
    YearMonth now = month();
    return alone(handle -> ComingMonths.ensure(handle, now, months), List.of());
  }

  /**
   * Takes out the months before this one, the oldest first. It stops at the first month that a live
   * job still belongs to, so that the history after the archived part is whole.
   */
  public List<Archived> archive(YearMonth before, Disposal disposal) {
    return alone(handle -> PastMonths.archive(handle, before, disposal), List.of());
  }

  private <T> T alone(Function<Handle, T> work, T otherwise) {
    return jdbi.withHandle(handle -> {
      if (!handle.createQuery(TRY_LOCK).mapTo(Boolean.class).one()) {
        return otherwise;
      }
      try {
        takeTime(handle);
        return work.apply(handle);
      } finally {
        handle.createQuery(UNLOCK).mapTo(Boolean.class).one();
      }
    });
  }

  /** The pool sets it back when it gets the connection back. */
  private static void takeTime(Handle handle) {
    try {
      handle.getConnection().setNetworkTimeout(Runnable::run, (int) LONGEST.toMillis());
    } catch (SQLException e) {
      throw new IllegalStateException("The connection is broken", e);
    }
  }

  /** From here to the end of the transaction, a statement may take as long as a month needs. */
  static void beSlow(Handle handle) {
    handle
        .createQuery(LONG_STATEMENTS)
        .bind("millis", String.valueOf(LONGEST.toMillis()))
        .mapTo(String.class)
        .one();
  }

  /** From here to the end of the transaction, nobody is kept waiting for long. */
  static void beImpatient(Handle handle) {
    handle.execute(SHORT_PATIENCE);
  }

  /** True if somebody was in the way, so that it is worth another try. */
  static boolean busy(JdbiException trouble) {
    return is(trouble, LOCK_NOT_AVAILABLE) || is(trouble, DEADLOCK_DETECTED);
  }

  static boolean is(JdbiException trouble, String state) {
    return trouble.getCause() instanceof SQLException sql && state.equals(sql.getSQLState());
  }
}
