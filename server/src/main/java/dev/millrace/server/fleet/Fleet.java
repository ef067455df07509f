package dev.millrace.server.fleet;

import dev.millrace.engine.Engine;
import dev.millrace.engine.port.Signal;
import dev.millrace.postgres.Database;
import dev.millrace.postgres.records.Audit;
import dev.millrace.postgres.records.WorkerView;
import dev.millrace.server.duties.Duties;
import dev.millrace.server.duties.Reaper;
import dev.millrace.server.jobs.Offers;
import dev.millrace.server.limits.RequestRates;
import dev.millrace.server.objects.ObjectStore;
import dev.millrace.server.objects.Outputs;
import dev.millrace.server.objects.Thumbnails;
import dev.millrace.server.settings.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** The fleet's parts, built from what the server has, for its routes and duties. */
public final class Fleet implements AutoCloseable {

  private static final String HOME = "default";
  private static final Duration WATCH = Duration.ofSeconds(5);
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final Database database;
  private final Settings settings;
  private final Dock dock = new Dock();
  private final Roster roster;
  private final Enrolment enrolment;
  private final Polling polling;
  private final Dismissal dismissal;
  private final WorkerReports reports;
  private final WorkerFiles files;

  /** Builds the parts; nothing runs yet. */
  public Fleet(
      Settings settings,
      Database database,
      Engine engine,
      Offers offers,
      ObjectStore store,
      RequestRates rates,
      WorkerFiles files) {
    this.settings = settings;
    this.database = database;
    this.files = files;
    this.roster = new Roster(database.workers(), rates);
    this.enrolment =
        new Enrolment(
            settings.fleet(),
            database.workers(),
            offers,
            rates,
            database.audit(),
            () -> database.tenants().ensure(HOME));
    this.polling = new Polling(roster, dock, offers, engine);
    this.dismissal =
        new Dismissal(database.workers(), new Reaper(database.overdue(), engine), roster);
    Map<Integer, String> slugs = new ConcurrentHashMap<>();
    this.reports =
        new WorkerReports(
            database.leases(),
            engine,
            new Deliveries(
                new Outputs(store, new Thumbnails(), settings.files().maxOutputBytes()),
                store,
                files,
                tenant -> slugs.computeIfAbsent(tenant, database.tenants()::slug)),
            () -> ThreadLocalRandom.current().nextDouble());
  }

  /** What any node committed, for the polls that wait here. */
  public void tell(Signal signal) {
    roster.forget(signal.jobs());
    dock.tell(signal);
  }

  /** An admin changed a worker here; the other nodes hear of it by a signal. */
  public void changed(WorkerView worker) {
    roster.forget(List.of(worker.uid()));
  }

  /** What is to be done although nobody asks. */
  public Duties duties() {
    return new Duties()
        .every(
            WATCH,
            new FleetWatch(
                roster, database.workers(), dismissal, enrolment, settings.fleet().silence()))
        .every(LOOK, new QueueLook(dock, database.queues()));
  }

  public Roster roster() {
    return roster;
  }

  public Enrolment enrolment() {
    return enrolment;
  }

  public Polling polling() {
    return polling;
  }

  public Dismissal dismissal() {
    return dismissal;
  }

  public WorkerReports reports() {
    return reports;
  }

  public WorkerFiles files() {
    return files;
  }

  public Audit audit() {
    return database.audit();
  }

  public Duration lease() {
    return settings.leases().lease();
  }

  public Duration heartbeat() {
    return settings.leases().heartbeat();
  }

  /** Ends all polls, so that a server which stops needn't wait for them. */
  @Override
  public void close() {
    dock.close();
  }
}
