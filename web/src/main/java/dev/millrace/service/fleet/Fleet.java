package dev.millrace.service.fleet;

import dev.millrace.engine.Engine;
import dev.millrace.engine.port.Signal;
import dev.millrace.postgres.Database;
import dev.millrace.postgres.fleet.WorkerView;
import dev.millrace.service.duties.Duties;
import dev.millrace.service.duties.Reaper;
import dev.millrace.service.files.JobAssets;
import dev.millrace.service.files.UploadedOutputs;
import dev.millrace.service.jobs.Offers;
import dev.millrace.service.observe.Paces;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.output.SmallTexts;
import dev.millrace.storage.picture.Previews;
import dev.millrace.storage.picture.Thumbnails;
import dev.millrace.web.limits.RequestRates;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The fleet's parts, built from what the server has, for its routes and duties. */
public final class Fleet implements AutoCloseable {

  private static final String HOME = "default";
  private static final Duration WATCH = Duration.ofSeconds(5);
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final Parts parts;
  private final PollRoom dock = new PollRoom();
  private final @Nullable AsgCheck asgCheck;
  private final WorkerTokens roster;
  private final Enrolment enrolment;
  private final Polling polling;
  private final WorkerRemoval dismissal;
  private final WorkerReports reports;
  private final WorkerFiles files;

  /**
   * What the fleet is held to.
   *
   * @param maxOutputBytes that one output may have
   * @param partBytes what is larger comes in parts of this size
   * @param executorSlots how many jobs this server runs by itself
   */
  public record Terms(
      FleetSettings fleet,
      long maxOutputBytes,
      long partBytes,
      Duration lease,
      Duration heartbeat,
      int executorSlots) {}

  /** What the server has. */
  public record Parts(
      Terms terms,
      Database database,
      Engine engine,
      Offers offers,
      ObjectStore store,
      RequestRates rates,
      Paces paces) {}

  /** Builds the fleet's parts; nothing runs yet. */
  public Fleet(Parts parts) {
    this.parts = parts;
    Database database = parts.database();
    FleetSettings settings = parts.terms().fleet();
    this.asgCheck =
        settings.asg().check() == FleetSettings.AsgFailure.OFF
            ? null
            : new AsgCheck(settings.asg());
    this.roster = new WorkerTokens(database.workers(), parts.rates());
    this.enrolment =
        new Enrolment(
            settings,
            database.workers(),
            parts.offers(),
            parts.rates(),
            database.audit(),
            () -> database.tenants().ensure(HOME),
            asgCheck == null ? _ -> {} : asgCheck::require);
    IntFunction<String> slugs = slugs();
    DoubleSupplier jitter = () -> ThreadLocalRandom.current().nextDouble();
    this.files = files(slugs);
    LeaseMemory memory = new LeaseMemory(database.leases());
    this.polling =
        new Polling(
            roster,
            dock,
            parts.offers(),
            parts.engine(),
            new LeaseHandout(files, memory, parts.engine(), jitter));
    this.dismissal =
        new WorkerRemoval(
            database.workers(), new Reaper(database.overdueJobs(), parts.engine()), roster);
    this.reports =
        new WorkerReports(
            database.leases(), memory, parts.engine(), deliveries(slugs), files, jitter);
  }

  /** A tenant keeps its slug. */
  private IntFunction<String> slugs() {
    Map<Integer, String> known = new ConcurrentHashMap<>();
    return tenant -> known.computeIfAbsent(tenant, parts.database().tenants()::slug);
  }

  private WorkerFiles files(IntFunction<String> slugs) {
    ObjectStore store = parts.store();
    long most = parts.terms().maxOutputBytes();
    return new WorkerFiles(
        new WorkerFiles.Sources(
            parts.offers(),
            new JobAssets(parts.database().files(), store),
            new UploadedOutputs(
                store, new Previews(store, new Thumbnails()), most, parts.terms().partBytes()),
            most,
            (tenant, job) ->
                parts.database().taskJobs().inputs(tenant, List.of(job)).getOrDefault(job, "{}"),
            slugs),
        lease());
  }

  private OutputIntake deliveries(IntFunction<String> slugs) {
    long most = parts.terms().maxOutputBytes();
    return new OutputIntake(new SmallTexts(most), files, slugs);
  }

  /** What any node committed, for the polls that wait here. */
  public void tell(Signal signal) {
    if (signal.everything()) {
      roster.forgetAll();
    }
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
                roster,
                parts.database().workers(),
                dismissal,
                enrolment,
                parts.terms().fleet().silence()))
        .every(WATCH, new PaceDuty(parts.paces()))
        .every(LOOK, new QueueWatch(dock, parts.database().queues()));
  }

  public WorkerTokens roster() {
    return roster;
  }

  public Enrolment enrolment() {
    return enrolment;
  }

  public Polling polling() {
    return polling;
  }

  public WorkerRemoval dismissal() {
    return dismissal;
  }

  public WorkerReports reports() {
    return reports;
  }

  public WorkerFiles files() {
    return files;
  }

  public Paces paces() {
    return parts.paces();
  }

  /** Says why jobs wait. */
  public Waits waits() {
    return new Waits(
        parts.offers(),
        parts.paces(),
        InstantSource.system(),
        parts.terms().fleet().tenantConcurrency(),
        parts.terms().executorSlots());
  }

  public Duration lease() {
    return parts.terms().lease();
  }

  public Duration heartbeat() {
    return parts.terms().heartbeat();
  }

  /** Ends all polls, so that a server which stops needn't wait for them. */
  @Override
  public void close() {
    dock.close();
    if (asgCheck != null) {
      asgCheck.close();
    }
  }
}
