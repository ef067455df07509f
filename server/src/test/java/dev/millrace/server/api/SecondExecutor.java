package dev.millrace.server.api;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Timings;
import dev.millrace.postgres.Database;
import dev.millrace.providers.fetch.FetchClient;
import dev.millrace.providers.fetch.FetchPolicy;
import dev.millrace.server.rig.ServerRig;
import dev.millrace.service.attempt.Accounts;
import dev.millrace.service.attempt.Breaker;
import dev.millrace.service.attempt.InputFiles;
import dev.millrace.service.attempt.ProviderOutputs;
import dev.millrace.service.attempt.Verdicts;
import dev.millrace.service.catalogue.EffectPolicy;
import dev.millrace.service.catalogue.WorkflowLimits;
import dev.millrace.service.catalogue.reading.CatalogueFiles;
import dev.millrace.service.catalogue.reading.CatalogueRules;
import dev.millrace.service.execution.AttemptRunner;
import dev.millrace.service.execution.InProcessExecutor;
import dev.millrace.service.files.JobAssets;
import dev.millrace.service.jobs.Offers;
import dev.millrace.service.live.Hub;
import dev.millrace.service.outside.Collector;
import dev.millrace.service.outside.Handover;
import dev.millrace.service.outside.LateArrivals;
import dev.millrace.service.outside.Orders;
import dev.millrace.spi.provider.Performer;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.local.LocalObjectStore;
import dev.millrace.storage.output.Outputs;
import dev.millrace.storage.picture.Thumbnails;
import dev.millrace.storage.url.SigningKeys;
import dev.millrace.storage.url.UrlSigner;
import dev.millrace.testkit.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;

/**
 * An executor and a collector beside a server that runs no jobs of this provider itself, as on a
 * second machine.
 */
final class SecondExecutor implements AutoCloseable {

  private final Database database;
  private final Engine engine;
  private final InProcessExecutor executor;
  private final Collector collector;

  private SecondExecutor(
      ServerRig rig, ObjectStore store, Performer performer, Breaker breaker, Duration drain) {
    Duration lease = Duration.ofSeconds(5);
    TestDatabase test = rig.database();
    database = Database.open(new Database.Access(test.jdbcUrl(), test.user(), test.password(), 4));
    Duration minute = Duration.ofMinutes(1);
    Timings.Backoff backoff = new Timings.Backoff(Duration.ofMillis(10), minute);
    engine =
        new Engine(
            database.store(),
            new Timings(lease, minute, minute, minute, backoff),
            new Engine.LaneSizes(10, 100),
            UUID::randomUUID,
            _ -> {});
    Offers offers = offers(database);
    Outputs outputs = new Outputs(store, new Thumbnails(), HostileProvider.MAX_OUTPUT_BYTES);
    InputFiles files = new InputFiles(offers, new JobAssets(database.files(), store), null);
    Accounts accounts = new Accounts(Map.of(performer.name(), performer), Map.of(), _ -> "default");
    ProviderOutputs fetch =
        new ProviderOutputs(
            new FetchClient(FetchPolicy.PUBLIC_WEB), HostileProvider.MAX_OUTPUT_BYTES);
    Verdicts verdicts = new Verdicts(outputs, fetch, _ -> "default", () -> 0.5);
    Orders orders = new Orders(offers, null);
    LateArrivals late =
        new LateArrivals(accounts, database.handovers(), database.lateResults(), orders, verdicts);
    executor =
        new InProcessExecutor(
            new InProcessExecutor.Config("second", 4, drain),
            performer.name(),
            breaker,
            offers,
            engine,
            new Hub(),
            new AttemptRunner(
                accounts,
                engine,
                verdicts,
                new Handover(engine, database.handovers(), orders, files, late),
                lease.dividedBy(5)));
    collector =
        new Collector(
            new Collector.Parts(
                accounts, _ -> breaker, database.handovers(), orders, verdicts, engine),
            4);
  }

  /** One whose provider's troubles say nothing about the next job. */
  static SecondExecutor of(ServerRig rig, Path objects, Performer performer) {
    return of(rig, objects, performer, Breaker.never(), store -> store);
  }

  static SecondExecutor of(
      ServerRig rig,
      Path objects,
      Performer performer,
      Breaker breaker,
      UnaryOperator<ObjectStore> spoiler) {
    ObjectStore store = spoiler.apply(store(objects));
    return new SecondExecutor(rig, store, performer, breaker, Duration.ofSeconds(10));
  }

  /** One that has a second to stop. */
  static SecondExecutor hurried(
      ServerRig rig, Path objects, Performer performer, UnaryOperator<ObjectStore> spoiler) {
    ObjectStore store = spoiler.apply(store(objects));
    return new SecondExecutor(rig, store, performer, Breaker.never(), Duration.ofSeconds(1));
  }

  private static ObjectStore store(Path objects) {
    UrlSigner signer = new UrlSigner(SigningKeys.of(new byte[32]));
    return new LocalObjectStore(objects, signer, InstantSource.system());
  }

  private static Offers offers(Database database) {
    CatalogueRules rules =
        new CatalogueRules(
            1_000,
            Set.of("sketch"),
            new WorkflowLimits(900, 900),
            new EffectPolicy(1, 1, EffectPolicy.Review.NONE, false, false));
    Offers offers = new Offers(new CatalogueFiles(rules, null), database.catalogueIds());
    offers.reload();
    return offers;
  }

  SecondExecutor start() {
    executor.start();
    collector.start();
    return this;
  }

  void stopAsking() {
    executor.stopAsking();
  }

  @Override
  public void close() {
    executor.close();
    collector.close();
    engine.close();
    database.close();
  }
}
