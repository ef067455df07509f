package dev.millrace.server.api;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Timings;
import dev.millrace.postgres.Database;
import dev.millrace.providers.fetch.AllowList;
import dev.millrace.server.ServicesWiring;
import dev.millrace.server.settings.Settings;
import dev.millrace.service.Services;
import dev.millrace.service.attempt.Accounts;
import dev.millrace.service.attempt.Breaker;
import dev.millrace.service.catalogue.EffectPolicy;
import dev.millrace.service.catalogue.WorkflowLimits;
import dev.millrace.service.catalogue.reading.CatalogueFiles;
import dev.millrace.service.catalogue.reading.CatalogueRules;
import dev.millrace.service.duties.Readiness;
import dev.millrace.service.duties.Reaper;
import dev.millrace.service.execution.ProviderStatus;
import dev.millrace.service.files.JobAssets;
import dev.millrace.service.files.StoreWatch;
import dev.millrace.service.fleet.Fleet;
import dev.millrace.service.fleet.LeaseTimes;
import dev.millrace.service.guard.Verdict;
import dev.millrace.service.jobs.Offers;
import dev.millrace.service.live.Hub;
import dev.millrace.service.observe.Metrics;
import dev.millrace.service.observe.Paces;
import dev.millrace.service.outside.CallbackInbox;
import dev.millrace.service.webhooks.Outgoing;
import dev.millrace.storage.local.LocalObjectStore;
import dev.millrace.storage.picture.Previews;
import dev.millrace.storage.picture.Thumbnails;
import dev.millrace.storage.url.SigningKeys;
import dev.millrace.storage.url.UrlSigner;
import dev.millrace.testkit.TestDatabase;
import dev.millrace.web.WebRoutes;
import dev.millrace.web.access.AllowedHosts;
import dev.millrace.web.access.MetricsAccess;
import dev.millrace.web.api.Api;
import dev.millrace.web.api.file.FileSizes;
import dev.millrace.web.api.request.PublicUrl;
import dev.millrace.web.dialect.Dialect;
import dev.millrace.web.http.Route;
import dev.millrace.web.limits.RequestRates;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** What the server answers to, of the API and of the console. */
public final class AllRoutes {

  private AllRoutes() {}

  /** Such as {@code GET /api/jobs/{id}}. */
  public static String words(Route route) {
    return route.method() + " " + route.template().replace("*}", "}");
  }

  /**
   * They can't be called: what is behind them is closed already.
   *
   * @param folder for what they would keep
   */
  public static List<Route> of(Path folder) {
    Duration second = Duration.ofSeconds(1);
    UrlSigner signer = new UrlSigner(SigningKeys.of(new byte[32]));
    try (TestDatabase test = TestDatabase.create();
        Database database =
            Database.open(new Database.Access(test.jdbcUrl(), test.user(), test.password(), 2));
        Engine engine =
            new Engine(
                database.store(),
                new Timings(second, second, second, second, new Timings.Backoff(second, second)),
                new Engine.LaneSizes(1, 1),
                UUID::randomUUID,
                _ -> {})) {
      Offers offers = offers(database);
      LocalObjectStore store = new LocalObjectStore(folder, signer, InstantSource.system());
      RequestRates rates = new RequestRates(RequestRates.Limits.NONE);
      Hub hub = new Hub();
      Settings settings = Settings.load(Map.of(), folder);
      Services services =
          new ServicesWiring(settings, database, engine, offers, hub, _ -> Verdict.PASS)
              .services(
                  new ServicesWiring.Storage(
                      store,
                      signer,
                      new Previews(store, new Thumbnails()),
                      ServicesWiring.Erasures.of(database, store)),
                  fleet(settings, database, engine, offers, store),
                  new ServicesWiring.Observed(
                      new Metrics(List::of),
                      new Paces(database.effectTimings()),
                      new Readiness(
                          database.writeCheck(), engine::standing, new StoreWatch(store))),
                  outside(settings, database, engine, hub));
      return WebRoutes.of(
          services,
          new Api.Edge(
              rates,
              new PublicUrl(null),
              AllowedHosts.only(List.of()),
              new MetricsAccess(MetricsAccess.Rule.OPEN, null),
              EnumSet.allOf(Dialect.class),
              second,
              new FileSizes(1, 1, 1),
              InstantSource.system()));
    }
  }

  private static Fleet fleet(
      Settings settings, Database database, Engine engine, Offers offers, LocalObjectStore store) {
    Duration second = Duration.ofSeconds(1);
    return new Fleet(
        new Fleet.Parts(
            new Fleet.Terms(settings.fleet(), 1, 1, new LeaseTimes(second, second), 1),
            database,
            engine,
            new Reaper(database.overdueJobs(), engine),
            offers,
            new Fleet.Storage(
                store,
                new Previews(store, new Thumbnails()),
                new JobAssets(database.files(), store)),
            new Paces(database.effectTimings()),
            _ -> "default"));
  }

  private static ServicesWiring.Outside outside(
      Settings settings, Database database, Engine engine, Hub hub) {
    CallbackInbox inbox =
        new CallbackInbox(
            new Accounts(Map.of(), Map.of(), _ -> "default"),
            database.handovers(),
            engine,
            () -> {});
    Outgoing outgoing =
        new Outgoing(
            new Outgoing.Parts(
                settings.webhooks(),
                AllowList.parse(""),
                database,
                SigningKeys.of(new byte[32]),
                hub,
                new Metrics(List::of)));
    return new ServicesWiring.Outside(desk(), inbox, outgoing);
  }

  private static ProviderStatus desk() {
    return new ProviderStatus(
        new Accounts(Map.of(), Map.of(), _ -> "default"),
        _ -> Breaker.never(),
        List::of,
        Map.of(),
        _ -> Optional.empty());
  }

  private static Offers offers(Database database) {
    CatalogueRules rules =
        new CatalogueRules(
            1,
            Set.of("sketch"),
            new WorkflowLimits(1, 1),
            new EffectPolicy(1, 1, EffectPolicy.Review.NONE, false, false));
    return new Offers(new CatalogueFiles(rules, null), database.catalogueIds());
  }
}
