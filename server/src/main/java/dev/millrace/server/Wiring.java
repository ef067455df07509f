package dev.millrace.server;

import dev.millrace.engine.Engine;
import dev.millrace.engine.port.Store;
import dev.millrace.postgres.Database;
import dev.millrace.postgres.embedded.EmbeddedDatabase;
import dev.millrace.postgres.embedded.EmbeddedDatabaseException;
import dev.millrace.postgres.schema.Migrations;
import dev.millrace.providers.fetch.AllowList;
import dev.millrace.server.OpenParts.Phase;
import dev.millrace.server.logging.Logging;
import dev.millrace.server.settings.Settings;
import dev.millrace.service.Services;
import dev.millrace.service.access.LastUses;
import dev.millrace.service.access.Passes;
import dev.millrace.service.access.TenantSlugs;
import dev.millrace.service.catalogue.EffectPolicy;
import dev.millrace.service.catalogue.WorkflowLimits;
import dev.millrace.service.catalogue.reading.CatalogueFiles;
import dev.millrace.service.catalogue.reading.CatalogueRules;
import dev.millrace.service.catalogue.reading.Reload;
import dev.millrace.service.duties.CatalogueWatch;
import dev.millrace.service.duties.Checkup;
import dev.millrace.service.duties.Cleanup;
import dev.millrace.service.duties.Duties;
import dev.millrace.service.duties.FileCleanup;
import dev.millrace.service.duties.GuardWatch;
import dev.millrace.service.duties.HistoryArchiving;
import dev.millrace.service.duties.LastUseWriting;
import dev.millrace.service.duties.Readiness;
import dev.millrace.service.duties.Reaper;
import dev.millrace.service.duties.StorageCounting;
import dev.millrace.service.duties.TokenCleanup;
import dev.millrace.service.files.JobAssets;
import dev.millrace.service.files.StoreWatch;
import dev.millrace.service.files.TextObjectStore;
import dev.millrace.service.fleet.Fleet;
import dev.millrace.service.fleet.LeaseTimes;
import dev.millrace.service.guard.Gate;
import dev.millrace.service.guard.Gates;
import dev.millrace.service.guard.GuardReload;
import dev.millrace.service.guard.GuardRules;
import dev.millrace.service.guard.ModerationGate;
import dev.millrace.service.guard.OpenAiModeration;
import dev.millrace.service.guard.PromptGuard;
import dev.millrace.service.jobs.Offers;
import dev.millrace.service.live.Hub;
import dev.millrace.service.observe.JobLog;
import dev.millrace.service.observe.Metrics;
import dev.millrace.service.observe.Paces;
import dev.millrace.service.requests.RequestListRunner;
import dev.millrace.service.tasks.TaskRunner;
import dev.millrace.service.tenants.RemovalDuty;
import dev.millrace.service.transfer.TransferCleanup;
import dev.millrace.service.transfer.TransferProvider;
import dev.millrace.service.webhooks.Outgoing;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.ObjectStoreException;
import dev.millrace.storage.picture.Previews;
import dev.millrace.storage.picture.Thumbnails;
import dev.millrace.storage.url.SigningKeys;
import dev.millrace.storage.url.UrlSigner;
import dev.millrace.web.http.server.HttpServer;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The object graph, built by hand from top to bottom. What serves is closed before what it uses, so
 * the executor gives its leases back while the database is still there.
 */
final class Wiring implements AutoCloseable {

  private static final Duration CATALOGUE_PAUSE = Duration.ofSeconds(2);
  private static final Duration TASK_PAUSE = Duration.ofMillis(500);
  private static final Duration CLEANUP_PAUSE = Duration.ofMinutes(1);
  private static final Duration REMOVAL_PAUSE = Duration.ofSeconds(1);
  private static final Duration STRAYS_PAUSE = Duration.ofSeconds(5);
  private static final String WORKER_EXECUTOR = "worker";

  private final OpenParts opened = new OpenParts();
  private final Settings settings;
  private final @Nullable EmbeddedDatabase embedded;
  private final Database database;
  private final Engine engine;
  private final Offers offers;
  private final GuardRules guardRules;
  private final FirstStart firstStart;
  private final Readiness readiness;
  private final Services services;
  private final HttpServer http;

  static Wiring wire(Settings settings, Consumer<String> progress) {
    return new Wiring(settings, progress);
  }

  private Wiring(Settings settings, Consumer<String> progress) {
    this.settings = settings;
    try {
      // The database.
      embedded = settings.database().url() == null ? startEmbedded(progress) : null;
      database = opened.add(Phase.DATABASE, DatabaseWiring.database(settings, embedded));

      // What can be asked for, and who runs it.
      Providers providers = Providers.of(settings);
      offers = loaded(new Offers(catalogueFiles(providers), database.catalogueIds()));
      guardRules = loaded(new GuardRules(settings.guard().rules()));

      // The engine, and who hears what it commits.
      Hub hub = new Hub();
      Metrics metrics = new Metrics(database.queues()::standing);
      Paces paces = new Paces(database.effectTimings());
      engine = engine(hub, metrics, paces);

      // A new installation's first things.
      firstStart = new FirstStart(database, engine);
      firstStart.welcome(settings.credits().welcome());

      // Duties, HTTP, and last the executor.
      String worker = embedded == null ? "node-" + UUID.randomUUID() : "local";
      SigningKeys keys = InstallationKeys.of(settings);
      UrlSigner signer = new UrlSigner(keys);
      TenantSlugs slugs = new TenantSlugs(database.tenants());
      ObjectStore store = objectStore(signer);
      Thumbnails thumbnails = new Thumbnails();
      Previews previews = new Previews(store, thumbnails);
      JobAssets assets = new JobAssets(database.files(), store);
      Gate gate = gate();
      ServicesWiring wiring = new ServicesWiring(settings, database, engine, offers, hub, gate);
      ExecutionWiring executing =
          new ExecutionWiring(
              settings,
              providers.with(wiring.transfers(store, keys)),
              new ExecutionWiring.Parts(
                  database, engine, offers, hub, store, thumbnails, assets, slugs));
      readiness = new Readiness(database.writeCheck(), engine::standing, new StoreWatch(store));
      Reaper reaper = reaper(worker);
      var erasures = ServicesWiring.Erasures.of(database, store);
      serve(duties(reaper, gate, store, erasures, executing, metrics));
      Fleet fleet = fleet(hub, reaper, new Fleet.Storage(store, previews, assets), paces, slugs);
      Outgoing outgoing = serve(new Outgoing(outgoingParts(keys, hub, metrics)));
      services =
          wiring.services(
              new ServicesWiring.Storage(store, signer, previews, erasures),
              fleet,
              new ServicesWiring.Observed(metrics, paces, readiness),
              new ServicesWiring.Outside(
                  executing.status().count(metrics.registry()), executing.inbox(), outgoing));
      http = serve(port());
      serve(outgoing, fleet);
      serve(executing.start(worker));
    } catch (InterruptedException | RuntimeException e) {
      close();
      throw inWords(e);
    }
  }

  /** Those that need the use cases to be there. */
  private void serve(Outgoing outgoing, Fleet fleet) {
    outgoing.start();
    serve(fleet);
    serve(outgoing.feed());
    serve(services.webhooks().ends());
    serve(new Duties().every(RequestListRunner.PAUSE, services.files().lists()));
  }

  /** What the operator is told; a bug is left as it is. */
  private static RuntimeException inWords(Exception trouble) {
    return switch (trouble) {
      case InterruptedException e -> {
        Thread.currentThread().interrupt();
        yield new StartupException("Interrupted while starting", e);
      }
      case EmbeddedDatabaseException e -> said(e);
      case Migrations.Refused e -> said(e);
      case Store.Unavailable e -> said(e);
      case ObjectStoreException e -> said(e);
      case RuntimeException e -> e;
      default -> new IllegalStateException(trouble);
    };
  }

  private static StartupException said(RuntimeException trouble) {
    return new StartupException(Objects.requireNonNull(trouble.getMessage()), trouble);
  }

  private Engine engine(Hub hub, Metrics metrics, Paces paces) {
    Engine.Listener listener =
        new EngineListeners(hub, metrics, new JobLog(offers::slugOf, Logging::together), paces);
    opened.add(Phase.ENGINE, database.wakeups().listen(hub::tell));
    return opened.add(Phase.ENGINE, EngineSettings.engine(settings, database, listener));
  }

  private ObjectStore objectStore(UrlSigner signer) {
    ObjectStore files =
        ObjectStores.open(settings.files(), settings.folders().data().resolve("objects"), signer);
    return opened.add(
        Phase.ENGINE, new TextObjectStore(files, database.texts(), signer, InstantSource.system()));
  }

  /** What this installation's executor held when it was killed is given back first. */
  private Reaper reaper(String worker) throws InterruptedException {
    Reaper reaper = new Reaper(database.overdueJobs(), engine);
    if (embedded != null) {
      reaper.giveUp(worker);
    }
    return reaper;
  }

  private Duties duties(
      Reaper reaper,
      Gate gate,
      ObjectStore store,
      ServicesWiring.Erasures erasures,
      ExecutionWiring executing,
      Metrics metrics) {
    return new Duties()
        .every(Readiness.PAUSE, readiness)
        .every(settings.leases().reaperInterval(), reaper)
        .every(CATALOGUE_PAUSE, new CatalogueWatch(offers))
        .every(CATALOGUE_PAUSE, new GuardWatch(guardRules))
        .every(HistoryArchiving.PAUSE, new HistoryArchiving(database.history(), settings.history()))
        .every(
            TASK_PAUSE, new TaskRunner(database.tasks(), database.taskJobs(), engine, offers, gate))
        .every(CLEANUP_PAUSE, new Cleanup(database.deletedJobFiles(), erasures.ofJobs()))
        .every(CLEANUP_PAUSE, FileCleanup.of(database, erasures.ofFiles(), store))
        .every(CLEANUP_PAUSE, TokenCleanup.of(database))
        .every(CLEANUP_PAUSE, new TransferCleanup(database.transfers()))
        .every(CLEANUP_PAUSE, new StorageCounting(database.storageUse()))
        .every(REMOVAL_PAUSE, RemovalDuty.of(database.wholeTenant(), engine, store))
        .every(STRAYS_PAUSE, executing.strays())
        .every(settings.leases().reaperInterval(), executing.overflowing())
        .every(
            Checkup.LOOK,
            Checkup.of(settings.doctor().checkupPause(), database, metrics.registry()));
  }

  private Fleet fleet(
      Hub hub, Reaper reaper, Fleet.Storage storage, Paces paces, TenantSlugs slugs) {
    Fleet fleet =
        new Fleet(
            new Fleet.Parts(fleetTerms(), database, engine, reaper, offers, storage, paces, slugs));
    hub.also(fleet::tell);
    serve(fleet.duties());
    return fleet;
  }

  private Fleet.Terms fleetTerms() {
    return new Fleet.Terms(
        settings.fleet(),
        settings.files().maxOutputBytes(),
        settings.files().partBytes(),
        new LeaseTimes(settings.leases().lease(), settings.leases().heartbeat()),
        settings.executorSlots());
  }

  private Outgoing.Parts outgoingParts(SigningKeys keys, Hub hub, Metrics metrics) {
    return new Outgoing.Parts(
        settings.webhooks(),
        AllowList.parse(settings.services().fetchAllow()),
        database,
        keys,
        hub,
        metrics);
  }

  private EmbeddedDatabase startEmbedded(Consumer<String> progress) {
    var started = EmbeddedDatabase.start(settings.folders().data(), progress);
    opened.addPart(Phase.EMBEDDED, started::close);
    return started;
  }

  private CatalogueFiles catalogueFiles(Providers providers) {
    Set<String> executors = new HashSet<>(providers.names());
    executors.add(WORKER_EXECUTOR);
    executors.add(TransferProvider.NAME);
    Settings.Leases leases = settings.leases();
    Settings.Retries retries = settings.retries();
    return new CatalogueFiles(
        new CatalogueRules(
            settings.credits().maxCost(),
            executors,
            new WorkflowLimits(
                leases.runDeadline().toSeconds(), leases.queueDeadline().toSeconds()),
            new EffectPolicy(
                retries.maxFailures(),
                retries.maxInterruptions(),
                EffectPolicy.Review.NONE,
                false,
                false),
            providers::mistakes),
        settings.folders().catalogue());
  }

  private static Offers loaded(Offers offers) {
    if (offers.reload() instanceof Reload.Rejected(var problems)) {
      StringBuilder message = new StringBuilder("The catalogue has mistakes:");
      problems.forEach(problem -> message.append("\n  ").append(problem));
      throw new StartupException(message.toString());
    }
    return offers;
  }

  private static GuardRules loaded(GuardRules rules) {
    if (rules.reload() instanceof GuardReload.Rejected rejected) {
      throw new StartupException(rejected.message());
    }
    return rules;
  }

  private HttpServer port() {
    serve(
        new Duties().every(LastUses.PAUSE, new LastUseWriting(services.admins().passes().uses())));
    return HttpPort.serve(settings.http(), services, EdgeWiring.edge(settings));
  }

  private Gate gate() {
    Settings.Guard guard = settings.guard();
    PromptGuard words = new PromptGuard(guardRules);
    return guard.moderationUrl() == null
        ? words
        : new Gates(
            List.of(
                words,
                new ModerationGate(
                    opened.add(
                        Phase.ENGINE,
                        new OpenAiModeration(
                            guard.moderationUrl(),
                            guard.moderationKey(),
                            guard.moderationModel(),
                            guard.moderationTimeout())),
                    guard.moderationFailure())));
  }

  /** A link to the console that signs in once whoever opens it; nothing if the key is no good. */
  Optional<URI> link(String key) {
    return services
        .admins()
        .passes()
        .linkFor(key)
        .map(secret -> url().resolve(Passes.path(secret)));
  }

  HttpServer http() {
    return http;
  }

  Offers offers() {
    return offers;
  }

  Database database() {
    return database;
  }

  FirstStart firstStart() {
    return firstStart;
  }

  @Nullable EmbeddedDatabase embedded() {
    return embedded;
  }

  URI url() {
    String host = settings.http().host();
    boolean everywhere = host.equals("0.0.0.0") || host.equals("::");
    String name = everywhere ? "127.0.0.1" : host;
    return URI.create(
        "http://" + (name.contains(":") ? "[" + name + "]" : name) + ":" + http.port());
  }

  String databaseInWords() {
    return embedded == null
        ? "PostgreSQL at " + Objects.requireNonNull(settings.database().url()).masked()
        : "embedded PostgreSQL in " + settings.folders().data();
  }

  private <T extends AutoCloseable> T serve(T part) {
    return opened.add(Phase.SERVING, part);
  }

  @Override
  public void close() {
    opened.close(StopTimes.of(settings.http().shutdownGrace()).parts());
  }
}
