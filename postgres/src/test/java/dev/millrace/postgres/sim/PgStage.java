package dev.millrace.postgres.sim;

import static dev.millrace.engine.memory.BrokenLaw.require;

import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.JobEvent;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.Progress;
import dev.millrace.engine.job.Summary;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.lifecycle.Trigger;
import dev.millrace.engine.memory.MemoryTables;
import dev.millrace.engine.port.Callback;
import dev.millrace.engine.port.Changes;
import dev.millrace.engine.port.Store;
import dev.millrace.engine.sim.Catalogue;
import dev.millrace.engine.sim.Faults;
import dev.millrace.engine.sim.Stage;
import dev.millrace.engine.sim.WaitingCallback;
import dev.millrace.postgres.doctor.CheckLimits;
import dev.millrace.postgres.doctor.Doctor;
import dev.millrace.postgres.doctor.LawFinding;
import dev.millrace.postgres.jobs.OverdueJobs;
import dev.millrace.postgres.store.PgStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/** A stage on PostgreSQL. */
final class PgStage implements Stage {

  private static final String OVERDUE =
      """
      select count(*)
      from job
      where deadline_at <= clock_timestamp()
         or (state <> 'submitted' and lease_expires_at <= clock_timestamp())
         or (state = 'pending' and due_at <= clock_timestamp())
      """;

  private static final String JOBS =
      """
      select tenant_id, id, idempotency_key, fingerprint
      from job
      """;

  private static final String EVENTS =
      """
      select tenant_id, job_id, seq, trigger, from_state, state, attempt
      from job_event
      where trigger is not null
      order by tenant_id, job_id, seq
      """;

  private static final String WAITING =
      """
      select i.provider, i.event, a.tenant_id, a.job_id, a.token
      from inbox i
      left join attempt a on a.provider = i.provider and a.reference = i.reference
      where i.verdict = 'waiting'
      order by i.provider, i.event
      """;

  private static final String CALLBACKS =
      """
      select provider, event
      from inbox
      """;

  private static final String LOCK_NOT_AVAILABLE = "55P03";
  private static final int NO_LIMIT = 10_000;

  private final SimDatabase database;
  private final BreakingConnections connections;
  private Store store;
  private final OverdueJobs overdue;
  private Instant now = Instant.MIN;

  PgStage(SimDatabase database, BreakingConnections connections, Faults faults)
      throws SQLException {
    this.database = database;
    this.connections = connections;
    this.overdue = new OverdueJobs(database.jdbi());
    connections.listenTo(faults);
    this.store = new PgStore(connections.source());
    database.empty();
    setNow(Instant.parse("2026-03-01T12:00:00Z"));
  }

  @Override
  public Store store() {
    return store;
  }

  @Override
  public void cap(int perTenant, Map<Integer, Integer> perEffect) {
    store = new PgStore(connections.source(), perTenant, "");
    try {
      database.execute("update effect set concurrency = null where concurrency is not null");
      for (var cap : perEffect.entrySet()) {
        database.execute(
            "update effect set concurrency = %d where id = %d"
                .formatted(cap.getValue(), cap.getKey()));
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public boolean committed() {
    return connections.committed();
  }

  @Override
  public boolean busy(RuntimeException failure) {
    return failure.getCause() instanceof SQLException e
        && LOCK_NOT_AVAILABLE.equals(e.getSQLState());
  }

  @Override
  public Instant now() {
    return now;
  }

  @Override
  public void setNow(Instant time) {
    if (time.equals(now)) {
      return;
    }
    now = time;
    try {
      database.setClock(time);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Sorted, because the database may find rows in any order and a seed must not. */
  @Override
  public List<Report> suspects() {
    return overdue.find(NO_LIMIT).stream()
        .sorted(
            Comparator.comparing(Report::job)
                .thenComparing(report -> report.getClass().getSimpleName()))
        .toList();
  }

  @Override
  public List<WaitingCallback> waitingCallbacks() {
    return database
        .jdbi()
        .withHandle(handle -> handle.createQuery(WAITING).map((row, _) -> waiting(row)).list());
  }

  private static WaitingCallback waiting(ResultSet row) throws SQLException {
    UUID job = row.getObject("job_id", UUID.class);
    return new WaitingCallback(
        callback(row),
        job == null ? null : new JobId(row.getInt("tenant_id"), job),
        row.getObject("token", UUID.class));
  }

  private static Callback.Id callback(ResultSet row) throws SQLException {
    return new Callback.Id(row.getString("provider"), row.getString("event"));
  }

  @Override
  public boolean cheapToLook() {
    return false;
  }

  /** Jobs, wallets, keys and events, read through the production code where there is some. */
  @Override
  public MemoryTables look() {
    MemoryTables tables = new MemoryTables();
    Set<JobId> ids = new HashSet<>();
    Store healthy = new PgStore(database.source());
    var keys =
        database
            .jdbi()
            .withHandle(handle -> handle.createQuery(JOBS).map((row, _) -> new Made(row)).list());
    keys.forEach(made -> ids.add(made.id));
    var callbacks =
        database
            .jdbi()
            .withHandle(
                handle -> handle.createQuery(CALLBACKS).map((row, _) -> callback(row)).set());
    healthy.transact(tx -> {
      tx.lockWallets(Set.copyOf(Catalogue.OWNERS))
          .values()
          .forEach(wallet -> tables.wallets.put(wallet.id(), wallet));
      tables.jobs.putAll(tx.lockJobs(ids));
      tables.inbox.putAll(tx.lockCallbacks(callbacks));
      return ids;
    });
    for (Made made : keys) {
      var job = Objects.requireNonNull(tables.jobs.get(made.id));
      tables.made.put(
          made.id,
          new Changes.NewJob(job, 0, "{}", made.key, made.fingerprint, Changes.Links.NONE));
    }
    database
        .jdbi()
        .useHandle(handle ->
            tables.events.addAll(handle.createQuery(EVENTS).map((row, _) -> event(row)).list()));
    return tables;
  }

  private static final class Made {
    private final JobId id;
    private final String key;
    private final String fingerprint;

    Made(ResultSet row) throws SQLException {
      id = new JobId(row.getInt("tenant_id"), row.getObject("id", UUID.class));
      key = row.getString("idempotency_key");
      fingerprint = row.getString("fingerprint");
    }
  }

  private static JobEvent event(ResultSet row) throws SQLException {
    String from = row.getString("from_state");
    return new JobEvent(
        new JobId(row.getInt("tenant_id"), row.getObject("job_id", UUID.class)),
        row.getInt("seq"),
        new JobEvent.Move(
            Trigger.valueOf(row.getString("trigger").toUpperCase(Locale.ROOT)),
            from == null ? null : State.ofLabel(from),
            State.ofLabel(row.getString("state"))),
        Progress.NONE,
        Summary.EMPTY,
        row.getInt("attempt"),
        Instant.EPOCH);
  }

  @Override
  public void checkSwept() {
    try {
      require("0".equals(database.ask(OVERDUE)), "nothing is overdue after a sweep", now);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void checkEverything() {
    for (LawFinding finding : new Doctor(database.jdbi(), CheckLimits.DEFAULT).examine()) {
      require(finding.holds(), "the doctor: " + finding.name(), finding);
    }
  }
}
