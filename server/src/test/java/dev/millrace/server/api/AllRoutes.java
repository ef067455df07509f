package dev.millrace.server.api;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Timings;
import dev.millrace.engine.money.Usage;
import dev.millrace.postgres.Database;
import dev.millrace.server.catalogue.CatalogueFiles;
import dev.millrace.server.catalogue.CatalogueRules;
import dev.millrace.server.catalogue.EffectPolicy;
import dev.millrace.server.catalogue.Limits;
import dev.millrace.server.console.Console;
import dev.millrace.server.duties.Readiness;
import dev.millrace.server.executor.Accounts;
import dev.millrace.server.executor.Breaker;
import dev.millrace.server.executor.CallbackInbox;
import dev.millrace.server.executor.ProviderDesk;
import dev.millrace.server.files.StoreWatch;
import dev.millrace.server.fleet.Fleet;
import dev.millrace.server.guard.Verdict;
import dev.millrace.server.http.Route;
import dev.millrace.server.jobs.Offers;
import dev.millrace.server.limits.RequestRates;
import dev.millrace.server.live.Hub;
import dev.millrace.server.objects.LocalObjectStore;
import dev.millrace.server.objects.SigningKeys;
import dev.millrace.server.objects.UrlSigner;
import dev.millrace.server.observe.Metrics;
import dev.millrace.server.observe.Paces;
import dev.millrace.server.settings.Settings;
import dev.millrace.server.webhooks.Outgoing;
import dev.millrace.testkit.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
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
      return Console.routes(
          new Api.Parts(
              engine,
              database,
              offers,
              _ -> Verdict.PASS,
              Usage.Limits.UNSET,
              new Hub(),
              store,
              signer,
              new PublicUrl(null),
              second,
              new Metrics(List::of),
              InstantSource.system(),
              rates,
              database.doctor(),
              new Api.FileSizes(1, 1, 1),
              new Fleet(
                  new Fleet.Parts(
                      Settings.load(Map.of(), folder),
                      database,
                      engine,
                      offers,
                      store,
                      rates,
                      new Paces(database.effectTimings()))),
              new CallbackInbox(
                  new Accounts(Map.of(), Map.of(), _ -> "default"),
                  database.handovers(),
                  engine,
                  () -> {}),
              new Outgoing(
                  new Outgoing.Parts(
                      Settings.load(Map.of(), folder),
                      database,
                      SigningKeys.of(new byte[32]),
                      new Hub(),
                      new Metrics(List::of))),
              desk(),
              new Readiness(database.writeCheck(), engine::standing, new StoreWatch(store))));
    }
  }

  private static ProviderDesk desk() {
    return new ProviderDesk(
        new Accounts(Map.of(), Map.of(), _ -> "default"), _ -> Breaker.never(), List::of, Map.of());
  }

  private static Offers offers(Database database) {
    CatalogueRules rules =
        new CatalogueRules(
            1,
            Set.of("sketch"),
            new Limits(1, 1),
            new EffectPolicy(1, 1, EffectPolicy.Review.NONE, false, false));
    return new Offers(new CatalogueFiles(rules, null), database.catalogued());
  }
}
