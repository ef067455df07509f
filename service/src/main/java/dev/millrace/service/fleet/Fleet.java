package dev.millrace.service.fleet;

import dev.millrace.engine.Engine;
import dev.millrace.engine.port.Signal;
import dev.millrace.postgres.Database;
import dev.millrace.service.attempt.Breaker;
import dev.millrace.service.duties.Duties;
import dev.millrace.service.duties.Reaper;
import dev.millrace.service.files.JobAssets;
import dev.millrace.service.files.UploadedOutputs;
import dev.millrace.service.jobs.Offers;
import dev.millrace.service.observe.Paces;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.output.SmallTexts;
import dev.millrace.storage.picture.Previews;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Builds the fleet's parts from what the server has, and runs them. Whoever puts the server
 * together gives each of its callers the parts that it calls.
 */
public final class Fleet implements AutoCloseable {

  private static final String HOME = "default";
  private static final Duration WATCH = Duration.ofSeconds(5);
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final Parts parts;
  private final PollRoom room = new PollRoom();
  private final @Nullable AsgCheck asgCheck;
  private final WorkerTokens tokens;
  private final Enrolment enrolment;
  private final Polling polling;
  private final WorkerRemoval removal;
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
      LeaseTimes leases,
      int executorSlots) {}

  /**
   * What the server has.
   *
   * @param slugs the slug of a tenant
   */
  public record Parts(
      Terms terms,
      Database database,
      Engine engine,
      Reaper reaper,
      Offers offers,
      Storage storage,
      Paces paces,
      IntFunction<String> slugs) {}

  /**
   * Where files lie.
   *
   * @param assets what finds the files that a job needs
   */
  public record Storage(ObjectStore store, Previews previews, JobAssets assets) {}

  /** Builds the fleet's parts; nothing runs yet. */
  public Fleet(Parts parts) {
    this.parts = parts;
    Database database = parts.database();
    FleetSettings settings = parts.terms().fleet();
    this.asgCheck =
        settings.asg().check() == FleetSettings.AsgFailure.OFF
            ? null
            : new AsgCheck(settings.asg());
    this.tokens = new WorkerTokens(database.workers());
    this.enrolment =
        new Enrolment(
            settings,
            database.workers(),
            parts.offers(),
            database.audit(),
            () -> database.tenants().ensure(HOME),
            asgCheck == null ? _ -> MachineCheck.Answer.WELCOME : asgCheck);
    IntFunction<String> slugs = parts.slugs();
    DoubleSupplier jitter = () -> ThreadLocalRandom.current().nextDouble();
    this.files = files(slugs);
    LeaseMemory memory = new LeaseMemory(database.leases());
    this.polling =
        new Polling(
            tokens,
            room,
            parts.offers(),
            parts.engine(),
            new LeaseHandout(files, memory, parts.engine(), jitter));
    this.removal = new WorkerRemoval(database.workers(), parts.reaper(), tokens, enrolment);
    this.reports =
        new WorkerReports(
            database.leases(), memory, parts.engine(), deliveries(slugs), files, jitter);
  }

  private WorkerFiles files(IntFunction<String> slugs) {
    Storage storage = parts.storage();
    long most = parts.terms().maxOutputBytes();
    return new WorkerFiles(
        new WorkerFiles.Sources(
            parts.offers(),
            storage.assets(),
            new UploadedOutputs(
                storage.store(), storage.previews(), most, parts.terms().partBytes()),
            most,
            (tenant, job) ->
                parts.database().taskJobs().inputs(tenant, List.of(job)).getOrDefault(job, "{}"),
            slugs),
        parts.terms().leases().lease());
  }

  private OutputIntake deliveries(IntFunction<String> slugs) {
    long most = parts.terms().maxOutputBytes();
    return new OutputIntake(new SmallTexts(most), files, slugs);
  }

  /** What any node committed, for the polls that wait here. */
  public void tell(Signal signal) {
    if (signal.everything()) {
      tokens.forgetAll();
    }
    tokens.forget(signal.workers());
    room.tell(signal);
  }

  /** What is to be done although nobody asks. */
  public Duties duties() {
    return new Duties()
        .every(
            WATCH,
            new FleetWatch(
                tokens,
                parts.database().workers(),
                removal,
                enrolment,
                parts.terms().fleet().silence()))
        .every(WATCH, new PaceDuty(parts.paces()))
        .every(LOOK, new QueueWatch(room, parts.database().queues()));
  }

  /** What is asked of the fleet, by workers and by those who look after them. */
  public record UseCases(
      WorkerTokens tokens,
      Enrolment enrolment,
      Polling polling,
      WorkerReports reports,
      WorkerFiles files,
      WorkerRemoval removal,
      WorkerActions actions,
      LeaseTimes leases) {}

  public UseCases useCases() {
    Database database = parts.database();
    return new UseCases(
        tokens,
        enrolment,
        polling,
        reports,
        files,
        removal,
        new WorkerActions(
            database.workers(), tokens, enrolment, removal, parts.offers(), database.audit()),
        parts.terms().leases());
  }

  /**
   * Says why jobs wait.
   *
   * @param breakers how work is kept away from a provider, by its name
   */
  public Waits waits(Function<String, Breaker.Standing> breakers) {
    return new Waits(
        parts.offers(),
        parts.database().queues(),
        parts.paces(),
        InstantSource.system(),
        breakers,
        parts.terms().fleet().tenantConcurrency(),
        parts.terms().executorSlots());
  }

  /** Ends all polls, so that a server which stops needn't wait for them. */
  @Override
  public void close() {
    room.close();
    if (asgCheck != null) {
      asgCheck.close();
    }
  }
}
