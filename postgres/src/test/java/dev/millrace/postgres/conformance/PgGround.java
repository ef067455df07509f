package dev.millrace.postgres.conformance;

import dev.millrace.engine.conformance.Ground;
import dev.millrace.engine.port.Store;
import dev.millrace.engine.port.Transaction;
import dev.millrace.postgres.doctor.CheckLimits;
import dev.millrace.postgres.doctor.Doctor;
import dev.millrace.postgres.doctor.LawFinding;
import dev.millrace.postgres.sim.SimDatabase;
import dev.millrace.postgres.store.PgStore;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.awaitility.Awaitility;

/** A database whose clock is set by hand and whose locks are waited for, though not for ever. */
final class PgGround implements Ground, AutoCloseable {

  private static final String WAITING =
      """
      select count(*)
      from pg_stat_activity
      where datname = current_database()
        and wait_event_type = 'Lock'
      """;

  private final SimDatabase database;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private Instant now = Instant.parse("2026-03-01T12:00:00Z");

  PgGround() throws SQLException {
    this.database = new SimDatabase("20s");
  }

  /** As if nobody had been here. */
  void clear() throws SQLException {
    database.empty();
    database.execute("update effect set paused_at = null, concurrency = null");
    database.execute("update workflow set paused_at = null");
    setNow(Instant.parse("2026-03-01T12:00:00Z"));
  }

  List<LawFinding> examine() {
    return new Doctor(database.jdbi(), CheckLimits.DEFAULT).examine();
  }

  private void execute(String sql) {
    try {
      database.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public Store node(int tenantCap) {
    return new PgStore(database.source(), tenantCap, "");
  }

  @Override
  public Instant now() {
    return now;
  }

  @Override
  public void setNow(Instant time) {
    now = time;
    try {
      database.setClock(time);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void pauseWorkflow(int workflow) {
    execute("update workflow set paused_at = clock_timestamp() where id = " + workflow);
  }

  @Override
  public void pauseEffect(int effect) {
    execute("update effect set paused_at = clock_timestamp() where id = " + effect);
  }

  @Override
  public void capEffect(int effect, int most) {
    execute("update effect set concurrency = " + most + " where id = " + effect);
  }

  @Override
  public void enroll(String worker, int slots) {
    execute(
        """
        insert into worker (id, uid, token_hash, max_concurrency, capabilities, approved_at)
        values ('%1$s', gen_random_uuid(), sha256('%1$s'), %2$d, '{}', clock_timestamp())
        """
            .formatted(worker, slots));
  }

  @Override
  public void drain(String worker) {
    execute("update worker set draining_at = clock_timestamp() where id = '" + worker + "'");
  }

  /** The second waits as long as it must; PostgreSQL says when it does. */
  @Override
  public <R> R meet(
      Function<Transaction, ?> first, Function<Transaction, R> second, Runnable meanwhile) {
    AtomicReference<Future<R>> waiting = new AtomicReference<>();
    node()
        .transact(tx -> {
          Object _ = first.apply(tx);
          waiting.set(threads.submit(() -> node().transact(second)));
          Awaitility.await()
              .pollInterval(Duration.ofMillis(5))
              .until(() -> database.ask(WAITING).equals("1"));
          meanwhile.run();
          return tx;
        });
    try {
      return Objects.requireNonNull(waiting.get()).get();
    } catch (ExecutionException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() throws SQLException {
    threads.close();
    database.close();
  }
}
