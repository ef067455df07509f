package dev.millrace.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.LeaseJobs;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.command.Timings;
import dev.millrace.engine.command.TopUp;
import dev.millrace.engine.job.Failure;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.OutputFile;
import dev.millrace.engine.job.Progress;
import dev.millrace.engine.job.Summary;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Store;
import dev.millrace.postgres.catalogue.CatalogueIds;
import dev.millrace.postgres.doctor.LawFinding;
import dev.millrace.testkit.TestDatabase;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * A migrated database with two tenants, two workflows and an effect of each, and an engine on it.
 * Further engines on it are further nodes. Whatever a test does, the doctor has the last word.
 */
public final class EngineRig implements AutoCloseable {

  public static final Timings TIMINGS =
      new Timings(
          Duration.ofSeconds(60),
          Duration.ofHours(2),
          Duration.ofDays(1),
          Duration.ofSeconds(30),
          new Timings.Backoff(Duration.ofSeconds(10), Duration.ofMinutes(1)));

  private static final int POOL = 16;

  private static final String LOCK_WAITS =
      """
      select count(*)
      from pg_stat_activity
      where datname = current_database()
        and wait_event_type = 'Lock'
      """;

  /** Migrated once; a copy is many times faster than a migration. */
  private static final TestDatabase TEMPLATE = prepare();

  private final TestDatabase place;
  private final List<Database> nodes = new ArrayList<>();
  private final List<Engine> engines = new ArrayList<>();
  private final CatalogueIds.Ids ids;
  private final int acme;
  private final int zenith;
  private final Timings timings;

  private EngineRig(Timings timings) {
    this.timings = timings;
    this.place = TEMPLATE.copy();
    node();
    this.ids = database().catalogueIds().store(List.of(), List.of());
    this.acme = database().tenants().ensure("acme");
    this.zenith = database().tenants().ensure("zenith");
  }

  public static EngineRig open() {
    return open(TIMINGS);
  }

  public static EngineRig open(Timings timings) {
    return new EngineRig(timings);
  }

  private static TestDatabase prepare() {
    TestDatabase template = TestDatabase.create();
    try (Database database = Database.open(access(template))) {
      database
          .catalogueIds()
          .store(
              List.of(
                  new CatalogueIds.WorkflowRow("sketch", 1, "worker"),
                  new CatalogueIds.WorkflowRow("video", 1, "worker")),
              List.of(
                  new CatalogueIds.EffectRow("sketch", "sketch", 5),
                  new CatalogueIds.EffectRow("video", "video", 50)));
      database.tenants().ensure("acme");
      database.tenants().ensure("zenith");
    }
    return template;
  }

  private static Database.Access access(TestDatabase place) {
    return new Database.Access(place.jdbcUrl(), place.user(), place.password(), POOL);
  }

  /** One more node: its own connections and its own engine on the same database. */
  public Engine node() {
    Database database = Database.open(access(place));
    nodes.add(database);
    return engine(database.store());
  }

  /** One more engine on a store that the test has its hands in. */
  public Engine engine(Store store) {
    Engine engine =
        new Engine(
            store, timings, new Engine.LaneSizes(256, 4096), UUID::randomUUID, changes -> {});
    engines.add(engine);
    return engine;
  }

  public Database database() {
    return nodes.getFirst();
  }

  public Engine engine() {
    return engines.getFirst();
  }

  public TestDatabase place() {
    return place;
  }

  public int acme() {
    return acme;
  }

  public int zenith() {
    return zenith;
  }

  public int workflow(String slug) {
    return Objects.requireNonNull(ids.workflows().get(slug));
  }

  public int effect(String slug) {
    return Objects.requireNonNull(ids.effects().get(slug));
  }

  public Wallet.Owner user(String name) {
    return new Wallet.Owner(acme, name);
  }

  /** An order of ada, of tenant acme, for a sketch at 5 credits. */
  public Order order() {
    return new Order(this);
  }

  public void pay(Wallet.Owner owner, long credits) {
    assertThat(engine().topUp(new TopUp(owner, credits, UUID.randomUUID().toString(), null)))
        .isInstanceOf(TopUp.Result.Booked.class);
  }

  public Job submit(Order order) throws InterruptedException {
    return accepted(engine().submit(order.build()));
  }

  public static Job accepted(SubmitJob.Result result) {
    assertThat(result).isInstanceOf(SubmitJob.Result.Accepted.class);
    return ((SubmitJob.Result.Accepted) result).job();
  }

  /** A job of ada's, running. */
  public Leased running() throws InterruptedException {
    pay(user("ada"), 5);
    submit(order());
    return lease();
  }

  /** The next sketch of the queue. */
  public Leased lease() throws InterruptedException {
    List<Leased> leased = engine().lease(asking("worker-1", 1));
    assertThat(leased).hasSize(1);
    return leased.getFirst();
  }

  public LeaseJobs asking(String worker, int max) {
    return new LeaseJobs(worker, List.of(workflow("sketch")), max);
  }

  /** Reports, and expects it to count. */
  public Job report(Report report) throws InterruptedException {
    Report.Result result = engine().report(report);
    assertThat(result).isInstanceOf(Report.Result.Done.class);
    return ((Report.Result.Done) result).job();
  }

  public static Report.Heartbeat heartbeat(Leased leased, int percent) {
    return new Report.Heartbeat(
        leased.job().id(), leased.token(), new Progress(percent, "render", null), Summary.EMPTY);
  }

  /** A result of so many outputs, at one credit each. */
  public static Report.Complete complete(Leased leased, int outputs) {
    return new Report.Complete(
        leased.job().id(),
        leased.token(),
        Stream.generate(EngineRig::output).limit(outputs).toList(),
        Summary.EMPTY);
  }

  public static Report.Fail fail(Leased leased, Report.Fail.Kind kind) {
    return new Report.Fail(
        leased.job().id(), leased.token(), kind, new Failure("broken", "It broke."), null, 0.0);
  }

  public static OutputFile output() {
    UUID id = Order.nextId();
    return new OutputFile(
        id,
        "outputs/" + id,
        "a.png",
        new OutputFile.Content("image/png", 10, "0f".repeat(32)),
        new OutputFile.Picture(8, 8, null),
        null);
  }

  public State state(JobId id) {
    return State.ofLabel(
        Objects.requireNonNull(place.ask("select state from job where id = '" + id.uuid() + "'")));
  }

  public long balance(Wallet.Owner owner) {
    return database().wallets().balance(owner.tenant(), owner.user()).balance();
  }

  /** Waits until so many of this database's backends wait for a lock. */
  public void awaitLockWaits(int backends) {
    Awaitility.await().until(() -> String.valueOf(backends).equals(place.ask(LOCK_WAITS)));
  }

  /** Waits until any of this database's backends waits for a lock. */
  public void awaitLockWaits() {
    Awaitility.await().until(() -> !"0".equals(place.ask(LOCK_WAITS)));
  }

  /** Holds the locks that this statement takes, in a transaction of its own, until closed. */
  public Blocker block(String sql) throws SQLException {
    var connection = place.connect();
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
    return () -> {
      connection.rollback();
      connection.close();
    };
  }

  /** Somebody who stands in the way. */
  public interface Blocker extends AutoCloseable {
    @Override
    void close() throws SQLException;
  }

  public void assertHealthy() {
    assertThat(database().doctor().examine()).isNotEmpty().allMatch(LawFinding::holds);
  }

  /** Ends every node; what PostgreSQL counted for their connections is complete after that. */
  public void stop() {
    engines.forEach(Engine::close);
    nodes.forEach(Database::close);
  }

  @Override
  public void close() {
    try {
      assertHealthy();
    } finally {
      closeUnexamined();
    }
  }

  public void closeUnexamined() {
    stop();
    place.close();
  }
}
