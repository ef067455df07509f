package dev.millrace.postgres.sim;

import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.sim.Catalogue;
import dev.millrace.postgres.schema.Migrations;
import dev.millrace.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.postgresql.ds.PGSimpleDataSource;

/** A migrated database whose clock is set by hand, emptied before each schedule. */
public final class SimDatabase implements AutoCloseable {

  /** What a sequence holds is no part of any transaction: all see it at once, and none waits. */
  private static final String CLOCK =
      """
      create schema sim;
      create sequence sim.micros;
      create function sim.clock_timestamp() returns timestamptz
      language sql volatile
      return (
          select timestamptz 'epoch' + last_value * interval '1 microsecond'
          from sim.micros)
      """;

  /** Who vacuums holds a table for longer than anybody waits here. */
  private static final String LEFT_ALONE =
      """
      do $$
      declare
          one regclass;
      begin
          for one in
              select oid
              from pg_class
              where relnamespace = 'public'::regnamespace
                and relkind = 'r'
          loop
              execute format('alter table %s set (autovacuum_enabled = false)', one);
          end loop;
      end
      $$
      """;

  private static final String CHANGING_TABLES =
      """
      select tablename
      from pg_tables
      where schemaname = 'public'
        and tablename not in ('tenant', 'workflow', 'effect', 'lifecycle_edge')
        and tablename not like 'flyway%'
      order by tablename = 'wallet'
      """;

  private static final int TRUNCATE_EVERY = 20;

  private final TestDatabase place = TestDatabase.create();
  private final PGSimpleDataSource source;
  private final Connection control;
  private final Jdbi jdbi;
  private final List<String> changing;
  private int emptied;

  /** Nobody waits for a lock here: whoever would have to is sent back and comes again later. */
  SimDatabase() throws SQLException {
    this("4ms");
  }

  /**
   * A database in which one waits for a lock so long.
   *
   * @param patience as PostgreSQL writes it
   */
  public SimDatabase(String patience) throws SQLException {
    Migrations.run(place.dataSource());
    place.execute(LEFT_ALONE);
    place.execute(CLOCK);
    this.source = (PGSimpleDataSource) place.dataSource();
    source.setOptions(
        "-c search_path=sim,pg_catalog,public -c jit=off -c lock_timeout=" + patience);
    this.control = source.getConnection();
    this.jdbi = Jdbi.create(control);
    this.changing = askAll(CHANGING_TABLES);
    furnish();
  }

  private void furnish() throws SQLException {
    var tenants = new TreeSet<>(Catalogue.OWNERS.stream().map(Wallet.Owner::tenant).toList());
    for (int tenant : tenants) {
      execute(
          "insert into tenant (id, slug) overriding system value values (%d, 't%d')"
              .formatted(tenant, tenant));
    }
    for (int workflow : Catalogue.WORKFLOWS) {
      execute(
          "insert into workflow (id, slug, version, executor) overriding system value "
              + "values (%d, 'w%d', 1, 'worker')".formatted(workflow, workflow));
    }
    for (var effect : Catalogue.EFFECTS) {
      execute(
          "insert into effect (id, slug, workflow_id, credits_cost) overriding system value "
              + "values (%1$d, 'e%1$d', %2$d, %3$d)"
                  .formatted(effect.effectId(), effect.workflowId(), effect.cost()));
    }
  }

  public DataSource source() {
    return source;
  }

  /** On the one connection that never breaks. */
  public Jdbi jdbi() {
    return jdbi;
  }

  /** Truncating takes ten times as long as deleting a few rows; deleting leaves some of them. */
  public void empty() throws SQLException {
    if (emptied++ % TRUNCATE_EVERY == 0) {
      execute("truncate " + String.join(", ", changing));
    } else {
      execute(changing.stream().map("delete from "::concat).collect(Collectors.joining(";")));
    }
  }

  public void setClock(Instant now) throws SQLException {
    long micros = ChronoUnit.MICROS.between(Instant.EPOCH, now);
    ask("select setval('sim.micros', " + micros + ")");
  }

  /**
   * Ends a backend, and returns when it is gone with all its locks. The server's own way to wait
   * for that looks every 100 milliseconds, which is an eternity here.
   */
  void kill(int backend) throws SQLException {
    ask("select pg_terminate_backend(" + backend + ")");
    String left = "select count(*) from pg_stat_activity where pid = " + backend;
    while (!"0".equals(ask(left))) {
      Thread.onSpinWait();
    }
  }

  public void execute(String sql) throws SQLException {
    try (Statement statement = control.createStatement()) {
      statement.execute(sql);
    }
  }

  public String ask(String sql) throws SQLException {
    return askAll(sql).getFirst();
  }

  List<String> askAll(String sql) throws SQLException {
    try (Statement statement = control.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> answers = new ArrayList<>();
      while (rows.next()) {
        answers.add(rows.getString(1));
      }
      return answers;
    }
  }

  @Override
  public void close() throws SQLException {
    control.close();
    place.close();
  }
}
