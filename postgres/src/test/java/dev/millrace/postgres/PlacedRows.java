package dev.millrace.postgres;

import dev.millrace.postgres.connection.PostgresTypes;
import dev.millrace.postgres.sim.SimDatabase;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * Rows that a test puts into their tables itself, to see which of them a statement finds and which
 * it leaves alone. A row needs to say only what is special about it. Nobody asks whether the rows
 * make sense together, so each may differ from another in a single column.
 *
 * <p>There is one database for all tests of a JVM, with a clock that is set by hand: a row can be
 * exactly as old as a bound. There are two tenants, each with two wallets, of which two belong to
 * users of the same name: 1 and 2 are ada's and bob's of tenant 1, 3 and 4 are ada's and eve's of
 * tenant 2. Workflows are w1 to w3, effects e1 to e7; e1 and e2 are of w1, e3 and e4 of w2.
 */
public final class PlacedRows {

  public static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  public static final int TENANT = 1;
  public static final int FOREIGN = 2;

  private static final String ANYBODY_WAITS =
      """
      select count(*) > 0
      from pg_stat_activity
      where datname = current_database()
        and wait_event_type = 'Lock'
      """;

  private static final String RESET =
      """
      update effect set paused_at = null, resumed_at = null, concurrency = null;
      update workflow set paused_at = null, resumed_at = null;
      insert into wallet (id, tenant_id, user_id) overriding system value
      values (1, 1, 'ada'), (2, 1, 'bob'), (3, 2, 'ada'), (4, 2, 'eve');
      select setval(pg_get_serial_sequence('wallet', 'id'), 100)
      """;

  private static @Nullable PlacedRows shared;

  private final SimDatabase database;
  private final Jdbi jdbi;

  private PlacedRows() throws SQLException {
    this.database = new SimDatabase("20s");
    this.jdbi = database.jdbi().installPlugin(new PostgresTypes());
  }

  /** None of them is there yet. */
  public static synchronized PlacedRows none() {
    try {
      if (shared == null) {
        shared = new PlacedRows();
      }
      shared.database.execute("delete from console_pass");
      shared.database.empty();
      shared.database.execute(RESET);
      shared.clock(NOW);
      return shared;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** On one connection, which the test must not use while it waits. */
  public Jdbi jdbi() {
    return jdbi;
  }

  /** On as many connections as are asked for. */
  public Jdbi otherSessions() {
    return Jdbi.create(database.source()).installPlugin(new PostgresTypes());
  }

  public void clock(Instant now) {
    try {
      database.setClock(now);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Grows with its number, as ids do with time. */
  public static UUID id(int number) {
    return new UUID(0x0198_0000_0000_7000L + ((long) number << 16), Long.MIN_VALUE + number);
  }

  public static Instant ago(int seconds) {
    return NOW.minusSeconds(seconds);
  }

  public static Instant in(int seconds) {
    return NOW.plusSeconds(seconds);
  }

  /** A job that waits in the queue of w1, for e1, at 5 credits of ada's. */
  public void job(int number, @Nullable Object... columns) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("tenant_id", TENANT);
    row.put("id", id(number));
    row.put("wallet_id", 1);
    row.put("effect_id", 1);
    row.put("workflow_id", 1);
    row.put("state", "queued");
    for (String none :
        List.of(
            "priority",
            "progress",
            "attempts",
            "failures",
            "interruptions",
            "captured",
            "delivered")) {
      row.put(none, 0);
    }
    for (String one : List.of("events", "max_failures", "max_interruptions", "funding_seq")) {
      row.put(one, 1);
    }
    row.put("held", 5);
    row.put("hold_open", true);
    row.put("run_seconds", 600);
    row.put("queue_seconds", 3600);
    row.put("review", false);
    row.put("safety_refund", false);
    row.put("fingerprint", "f" + number);
    for (String time : List.of("created_at", "due_at", "changed_at")) {
      row.put(time, ago(60));
    }
    insert("job", row, columns);
  }

  public void input(int number, int tenant, String input) {
    row("job_input", "tenant_id", tenant, "job_id", id(number), "input", input);
  }

  /** The place of such a job in its queue. */
  public void dispatch(int number, @Nullable Object... columns) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("tenant_id", TENANT);
    row.put("job_id", id(number));
    row.put("workflow_id", 1);
    row.put("effect_id", 1);
    row.put("state", "queued");
    row.put("priority", 0);
    row.put("virtual_start", 0);
    row.put("due_at", ago(60));
    row.put("deadline_at", in(3600));
    insert("dispatch", row, columns);
  }

  /** The first attempt at such a job, by worker a; its token is made of the job's number. */
  public void attempt(int number, @Nullable Object... columns) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("tenant_id", TENANT);
    row.put("job_id", id(number));
    row.put("number", 1);
    row.put("token", id(1000 + number));
    row.put("worker", "a");
    row.put("started_at", ago(50));
    insert("attempt", row, columns);
  }

  /** What nodes know a placed worker by. */
  public static UUID uid(String worker) {
    return UUID.nameUUIDFromBytes(worker.getBytes(StandardCharsets.UTF_8));
  }

  /** An approved worker for one job at a time. */
  public void worker(String name, @Nullable Object... columns) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("id", name);
    row.put("uid", uid(name));
    row.put("token_hash", "\\x" + "%02x".formatted((int) name.charAt(0)).repeat(32));
    row.put("max_concurrency", 1);
    row.put("capabilities", "{}");
    row.put("registered_at", ago(90));
    row.put("last_seen_at", NOW);
    row.put("approved_at", ago(80));
    insert("worker", row, columns);
  }

  /** A picture that is an output of the first attempt at the first job. */
  public void file(int number, @Nullable Object... columns) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("tenant_id", TENANT);
    row.put("id", id(number));
    row.put("wallet_id", 1);
    row.put("job_id", id(1));
    row.put("attempt", 1);
    row.put("kind", "output");
    row.put("key", "files/" + number);
    row.put("name", number + ".png");
    row.put("media_type", "image/png");
    row.put("size", 10);
    row.put("sha256", "0f".repeat(32));
    row.put("created_at", ago(60));
    insert("file", row, columns);
  }

  /** Columns and values by turns. */
  public void row(String table, @Nullable Object... columns) {
    insert(table, new LinkedHashMap<>(), columns);
  }

  private void insert(
      String table, Map<String, @Nullable Object> row, @Nullable Object... columns) {
    for (int i = 0; i < columns.length; i += 2) {
      row.put(String.valueOf(columns[i]), columns[i + 1]);
    }
    execute(
        "insert into %s (%s) overriding system value values (%s)"
            .formatted(
                table,
                String.join(", ", row.keySet()),
                String.join(", ", row.values().stream().map(PlacedRows::literal).toList())));
  }

  private static String literal(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case Number number -> number.toString();
      case Boolean truth -> truth.toString();
      default -> "'" + value.toString().replace("'", "''") + "'";
    };
  }

  public void execute(String sql) {
    try {
      database.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** All rows of the answer, each as its values with commas between, null as nothing. */
  public String ask(String sql) {
    try {
      return database.ask(
          "select coalesce(string_agg(a.line, ' | '), '') from ("
              + "select translate(cast(q as text), '()\"', '') as line from ("
              + sql
              + ") q) a");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Runs a statement, and commits it when somebody waits for its locks. */
  public Thread commitWhenSomebodyWaits(String sql) throws SQLException {
    Connection connection = database.source().getConnection();
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
    return Thread.ofVirtual()
        .start(() -> {
          try (connection;
              Connection observer = database.source().getConnection();
              Statement asking = observer.createStatement()) {
            Awaitility.await()
                .pollInterval(Duration.ofMillis(5))
                .until(() -> {
                  try (var answer = asking.executeQuery(ANYBODY_WAITS)) {
                    return answer.next() && answer.getBoolean(1);
                  }
                });
            connection.commit();
          } catch (SQLException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  /** Holds the locks that this statement takes until closed. */
  public EngineRig.Blocker hold(String sql) throws SQLException {
    Connection connection = database.source().getConnection();
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
    return () -> {
      connection.rollback();
      connection.close();
    };
  }
}
