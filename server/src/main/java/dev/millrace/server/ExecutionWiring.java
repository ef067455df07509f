package dev.millrace.server;

import dev.millrace.engine.Engine;
import dev.millrace.postgres.Database;
import dev.millrace.server.settings.Settings;
import dev.millrace.service.access.TenantSlugs;
import dev.millrace.service.attempt.Accounts;
import dev.millrace.service.attempt.Breaker;
import dev.millrace.service.attempt.InputFiles;
import dev.millrace.service.attempt.ProviderOutputs;
import dev.millrace.service.attempt.Verdicts;
import dev.millrace.service.duties.Duty;
import dev.millrace.service.duties.OverflowDuty;
import dev.millrace.service.execution.AttemptRunner;
import dev.millrace.service.execution.InProcessExecutor;
import dev.millrace.service.execution.ProviderStatus;
import dev.millrace.service.files.JobAssets;
import dev.millrace.service.jobs.Offers;
import dev.millrace.service.live.Hub;
import dev.millrace.service.outside.CallbackInbox;
import dev.millrace.service.outside.Collector;
import dev.millrace.service.outside.Handover;
import dev.millrace.service.outside.LateArrivals;
import dev.millrace.service.outside.Orders;
import dev.millrace.service.outside.StrayCallbacks;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.output.Outputs;
import dev.millrace.storage.picture.Thumbnails;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Builds what performs jobs: an executor for each provider, and the collector of their services.
 */
final class ExecutionWiring implements AutoCloseable {

  private static final Duration DRAIN = Duration.ofSeconds(10);

  /** How long a callback may wait for its work to become known. */
  private static final Duration PATIENCE = Duration.ofHours(1);

  private final Settings settings;
  private final Providers providers;
  private final Database database;
  private final Engine engine;
  private final Offers offers;
  private final Hub hub;
  private final Map<String, Breaker> breakers = new ConcurrentHashMap<>();
  private final TenantSlugs slugs;
  private final Accounts accounts;
  private final AttemptRunner runner;
  private final Collector collector;
  private final LateArrivals late;
  private final ProviderStatus status;
  private final List<InProcessExecutor> executors = new CopyOnWriteArrayList<>();

  /** What the server has. */
  record Parts(
      Database database,
      Engine engine,
      Offers offers,
      Hub hub,
      ObjectStore store,
      Thumbnails thumbnails,
      JobAssets assets,
      TenantSlugs slugs) {}

  ExecutionWiring(Settings settings, Providers providers, Parts parts) {
    this.settings = settings;
    this.providers = providers;
    this.database = parts.database();
    this.engine = parts.engine();
    this.offers = parts.offers();
    this.hub = parts.hub();
    this.slugs = parts.slugs();
    ObjectStore store = parts.store();
    accounts = new Accounts(providers.common(), providers.own(), slugs);
    Verdicts verdicts = verdicts(store, parts.thumbnails());
    Orders orders = new Orders(offers, settings.http().publicUrl());
    late =
        new LateArrivals(accounts, database.handovers(), database.lateResults(), orders, verdicts);
    runner =
        new AttemptRunner(
            accounts,
            engine,
            verdicts,
            new Handover(
                engine,
                database.handovers(),
                orders,
                new InputFiles(offers, parts.assets(), settings.http().publicUrl()),
                late),
            settings.leases().heartbeat());
    collector =
        new Collector(
            new Collector.Parts(
                accounts, this::breaker, database.handovers(), orders, verdicts, engine),
            settings.services().slots());
    status =
        new ProviderStatus(
            accounts, this::breaker, () -> executors, providers.keys(), collector::fetching);
  }

  private Breaker breaker(String provider) {
    return breakers.computeIfAbsent(
        provider,
        name ->
            accounts.needsService(name) ? new Breaker(InstantSource.system()) : Breaker.never());
  }

  private Verdicts verdicts(ObjectStore store, Thumbnails thumbnails) {
    long most = settings.files().maxOutputBytes();
    return new Verdicts(
        new Outputs(store, thumbnails, most),
        new ProviderOutputs(providers.outputs(), most),
        slugs,
        () -> ThreadLocalRandom.current().nextDouble());
  }

  CallbackInbox inbox() {
    return new CallbackInbox(accounts, database.handovers(), engine, collector::wake);
  }

  ProviderStatus status() {
    return status;
  }

  Duty strays() {
    return new StrayCallbacks(database.handovers(), late, engine, PATIENCE);
  }

  Duty overflowing() {
    return new OverflowDuty(
        offers, database.queues(), database.overdueJobs(), engine, status::room);
  }

  /**
   * Begins to ask for jobs.
   *
   * @param worker the name that leases are taken by
   */
  ExecutionWiring start(String worker) {
    if (settings.executorSlots() == 0) {
      return this;
    }
    for (String provider : accounts.names()) {
      int slots =
          accounts.isService(provider) ? settings.services().slots() : settings.executorSlots();
      executors.add(
          new InProcessExecutor(
                  new InProcessExecutor.Config(worker, slots, DRAIN),
                  provider,
                  breaker(provider),
                  offers,
                  engine,
                  hub,
                  runner)
              .start());
    }
    collector.start();
    return this;
  }

  /** All stop at once, and are waited for together. */
  @Override
  public void close() {
    executors.forEach(InProcessExecutor::stopAsking);
    List<AutoCloseable> all = new ArrayList<>(executors);
    all.add(collector);
    OpenParts.closeTogether(all, DRAIN.plusSeconds(1));
  }
}
