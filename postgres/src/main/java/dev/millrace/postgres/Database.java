package dev.millrace.postgres;

import dev.millrace.engine.port.Store;
import dev.millrace.postgres.catalogue.CatalogueIds;
import dev.millrace.postgres.catalogue.EffectTimings;
import dev.millrace.postgres.catalogue.Pauses;
import dev.millrace.postgres.connection.AdmittedConnections;
import dev.millrace.postgres.connection.FairGate;
import dev.millrace.postgres.connection.OperatingTroubles;
import dev.millrace.postgres.connection.Pool;
import dev.millrace.postgres.connection.PostgresTypes;
import dev.millrace.postgres.connection.Primary;
import dev.millrace.postgres.connection.RefusedServer;
import dev.millrace.postgres.connection.SqlTrouble;
import dev.millrace.postgres.connection.WaitLimits;
import dev.millrace.postgres.connection.WriteCheck;
import dev.millrace.postgres.doctor.CheckLimits;
import dev.millrace.postgres.doctor.Checkups;
import dev.millrace.postgres.doctor.Doctor;
import dev.millrace.postgres.files.DeletedFiles;
import dev.millrace.postgres.files.Files;
import dev.millrace.postgres.files.StorageUse;
import dev.millrace.postgres.files.Texts;
import dev.millrace.postgres.files.Uploads;
import dev.millrace.postgres.fleet.Leases;
import dev.millrace.postgres.fleet.Workers;
import dev.millrace.postgres.history.EventLog;
import dev.millrace.postgres.history.Events;
import dev.millrace.postgres.history.History;
import dev.millrace.postgres.jobs.Batches;
import dev.millrace.postgres.jobs.DeletedJobFiles;
import dev.millrace.postgres.jobs.Jobs;
import dev.millrace.postgres.jobs.OverdueJobs;
import dev.millrace.postgres.jobs.Queues;
import dev.millrace.postgres.jobs.TaskJobs;
import dev.millrace.postgres.jobs.Tasks;
import dev.millrace.postgres.jobs.TenantActivity;
import dev.millrace.postgres.money.WalletLimits;
import dev.millrace.postgres.money.Wallets;
import dev.millrace.postgres.notify.Wakeups;
import dev.millrace.postgres.outside.Handovers;
import dev.millrace.postgres.outside.LateResults;
import dev.millrace.postgres.outside.ProviderWork;
import dev.millrace.postgres.removal.WholeTenant;
import dev.millrace.postgres.schema.Migrations;
import dev.millrace.postgres.store.PgStore;
import dev.millrace.postgres.tenants.AllowedOrigins;
import dev.millrace.postgres.tenants.Audit;
import dev.millrace.postgres.tenants.ConsolePasses;
import dev.millrace.postgres.tenants.IdentitySessions;
import dev.millrace.postgres.tenants.Keys;
import dev.millrace.postgres.tenants.StreamTickets;
import dev.millrace.postgres.tenants.Tenants;
import dev.millrace.postgres.tenants.UserTokens;
import dev.millrace.postgres.tenants.Users;
import dev.millrace.postgres.transfers.Transfers;
import dev.millrace.postgres.webhooks.Deliveries;
import dev.millrace.postgres.webhooks.DueDeliveries;
import dev.millrace.postgres.webhooks.Outbox;
import dev.millrace.postgres.webhooks.Webhooks;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.StatementExceptions;

/** One PostgreSQL database, migrated and pooled: the door through which the server comes in. */
public final class Database implements AutoCloseable {

  private final Pool pool;
  private final Pool engine;
  private final Primary primary;
  private final WriteCheck writeCheck;
  private final Jdbi jdbi;
  private final Jobs jobs;
  private final Leases leases;
  private final Texts texts;
  private final Events events;

  /** Tells this node's signals from those of others. */
  private final String node = UUID.randomUUID().toString();

  private Database(Pool pool, Pool engine, Primary primary) {
    this.pool = pool;
    this.engine = engine;
    this.primary = primary;
    this.writeCheck = new WriteCheck(engine);
    // One is kept by whoever listens for wakeups.
    int readers = Math.max(1, pool.getMaximumPoolSize() - 1);
    this.jdbi =
        Jdbi.create(new FairGate(pool, readers, Pool.PATIENCE.toMillis()))
            .installPlugin(new PostgresTypes());
    jdbi.setHandleCallbackDecorator(new OperatingTroubles());
    // An exception's message gets into the log, and a statement's arguments are users and hashes.
    jdbi.configure(
        StatementExceptions.class,
        exceptions -> exceptions.setMessageRendering(StatementExceptions.MessageRendering.NONE));
    this.jobs = new Jobs(jdbi);
    this.leases = new Leases(jdbi);
    this.texts = new Texts(jdbi);
    this.events = new Events(jdbi);
  }

  /** Where a database is and how many connections to keep; half of them are the engine's. */
  public record Access(String jdbcUrl, String user, String password, int poolSize) {
    @Override
    public String toString() {
      return "Access[" + poolSize + " connections]";
    }
  }

  /**
   * Connects, migrates, and refuses a database that this program does not understand.
   *
   * @throws Store.Unavailable if nobody answers there
   * @throws Migrations.Refused if it can't be used at all
   */
  public static Database open(Access access) {
    return open(access, new Primary());
  }

  /** The same, for who knows something of the database already. */
  public static Database open(Access access, Primary primary) {
    check(source(access, WaitLimits.RECORDS, primary, ""));
    migrate(access, primary);
    int forEngine = Math.max(1, access.poolSize() / 2);
    // One listens for wakeups, so one more is needed to read anything.
    int forReads = Math.max(2, access.poolSize() - forEngine);
    Pool pool = Pool.open("reads", forReads, source(access, WaitLimits.RECORDS, primary, ""));
    try {
      Pool engine =
          Pool.open(
              "engine", forEngine, source(access, WaitLimits.ENGINE, primary, SteadyPlans.SESSION));
      primary.whenNewer(pool::renew);
      primary.whenNewer(engine::renew);
      return new Database(pool, engine, primary);
    } catch (RuntimeException e) {
      pool.close();
      throw e;
    }
  }

  /** A server that can't be used is told apart from one that is only away. */
  private static void check(AdmittedConnections source) {
    try {
      source.check();
    } catch (RefusedServer e) {
      throw new Migrations.Refused(String.valueOf(e.getMessage()), e);
    } catch (SQLException e) {
      if (SqlTrouble.of(e) != SqlTrouble.BROKEN) {
        throw new Store.Unavailable("The database can't be reached: " + e.getMessage(), e);
      }
      // The pool tries for longer, and says so if it was in vain.
    }
  }

  /** However long it takes: a new index on a large table, or another node that migrates. */
  private static void migrate(Access access, Primary primary) {
    // One holds the lock, one works.
    try (Pool pool =
        Pool.open("migrations", 2, source(access, WaitLimits.MIGRATIONS, primary, ""))) {
      Migrations.run(pool);
    }
  }

  private static AdmittedConnections source(
      Access access, WaitLimits limits, Primary primary, String session) {
    try {
      return new AdmittedConnections(
          access.jdbcUrl(), access.user(), access.password(), limits, primary, session);
    } catch (SQLException e) {
      throw new Store.Unavailable("The database's address can't be read: " + e.getMessage(), e);
    }
  }

  public Store store() {
    return store(0);
  }

  /**
   * Where everything durable lives.
   *
   * @param tenantCap how many jobs of one tenant may run at once; 0 for any number
   */
  public Store store(int tenantCap) {
    return new PgStore(engine, tenantCap, node);
  }

  public Wakeups wakeups() {
    return new Wakeups(pool, node, primary::admit);
  }

  public Doctor doctor() {
    return doctor(CheckLimits.DEFAULT);
  }

  public Doctor doctor(CheckLimits patience) {
    return new Doctor(jdbi, patience);
  }

  public Jobs jobs() {
    return jobs;
  }

  public Batches batches() {
    return new Batches(jdbi);
  }

  public Tasks tasks() {
    return new Tasks(jdbi);
  }

  public TaskJobs taskJobs() {
    return new TaskJobs(jdbi);
  }

  public Events events() {
    return events;
  }

  public Wallets wallets() {
    return new Wallets(jdbi);
  }

  public Files files() {
    return new Files(jdbi);
  }

  public Uploads uploads() {
    return new Uploads(jdbi);
  }

  public DeletedFiles deletedFiles() {
    return new DeletedFiles(jdbi);
  }

  public Keys keys() {
    return new Keys(jdbi);
  }

  public Tenants tenants() {
    return new Tenants(jdbi);
  }

  public Users users() {
    return new Users(jdbi);
  }

  public WholeTenant wholeTenant() {
    return WholeTenant.of(jdbi);
  }

  public CatalogueIds catalogueIds() {
    return new CatalogueIds(jdbi);
  }

  public Audit audit() {
    return new Audit(jdbi);
  }

  public Pauses pauses() {
    return new Pauses(jdbi);
  }

  public WalletLimits walletLimits() {
    return new WalletLimits(jdbi);
  }

  public StorageUse storageUse() {
    return new StorageUse(jdbi);
  }

  public DeletedJobFiles deletedJobFiles() {
    return new DeletedJobFiles(jdbi);
  }

  public History history() {
    return new History(jdbi);
  }

  public OverdueJobs overdueJobs() {
    return new OverdueJobs(jdbi);
  }

  public Workers workers() {
    return new Workers(jdbi);
  }

  public EffectTimings effectTimings() {
    return new EffectTimings(jdbi);
  }

  public Queues queues() {
    return new Queues(jdbi);
  }

  public Handovers handovers() {
    return new Handovers(jdbi);
  }

  public LateResults lateResults() {
    return new LateResults(jdbi);
  }

  public ConsolePasses consolePasses() {
    return new ConsolePasses(jdbi);
  }

  public IdentitySessions identitySessions() {
    return new IdentitySessions(jdbi);
  }

  public UserTokens userTokens() {
    return new UserTokens(jdbi);
  }

  public StreamTickets streamTickets() {
    return new StreamTickets(jdbi);
  }

  public AllowedOrigins allowedOrigins() {
    return new AllowedOrigins(jdbi);
  }

  public Checkups checkups() {
    return new Checkups(jdbi);
  }

  public Transfers transfers() {
    return new Transfers(jdbi);
  }

  public ProviderWork providerWork() {
    return new ProviderWork(jdbi);
  }

  public TenantActivity tenantActivity() {
    return new TenantActivity(jdbi);
  }

  public Texts texts() {
    return texts;
  }

  public Leases leases() {
    return leases;
  }

  public Webhooks webhooks() {
    return new Webhooks(jdbi);
  }

  public EventLog eventLog() {
    return new EventLog(jdbi);
  }

  public Outbox outbox() {
    return new Outbox(jdbi);
  }

  public Deliveries deliveries() {
    return new Deliveries(jdbi);
  }

  public DueDeliveries dueDeliveries() {
    return new DueDeliveries(jdbi);
  }

  /** Whether a write would succeed now, on the connections that the engine has. */
  public WriteCheck writeCheck() {
    return writeCheck;
  }

  /** All that are open. */
  List<Pool> pools() {
    return List.of(pool, engine);
  }

  /** True if the database answers. */
  public boolean ready() {
    return jdbi.withHandle(handle -> handle.createQuery("select 1").mapTo(Integer.class).one())
        == 1;
  }

  @Override
  public void close() {
    jobs.close();
    leases.close();
    texts.close();
    events.close();
    engine.close();
    pool.close();
  }
}
