package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Timings;
import dev.millrace.engine.money.Usage;
import dev.millrace.postgres.Database;
import dev.millrace.server.catalogue.CatalogueFiles;
import dev.millrace.server.catalogue.CatalogueRules;
import dev.millrace.server.catalogue.EffectPolicy;
import dev.millrace.server.catalogue.Limits;
import dev.millrace.server.executor.Accounts;
import dev.millrace.server.executor.Breaker;
import dev.millrace.server.executor.CallbackInbox;
import dev.millrace.server.executor.ProviderDesk;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every route is in the OpenAPI file, and every route of the file exists. */
class RoutesPgTest {

  @TempDir Path folder;

  @Test
  void the_file_describes_exactly_the_routes_that_there_are() {
    List<String> routes =
        routes().stream()
            .map(route -> route.method() + " " + route.template().replace("*}", "}"))
            .toList();

    assertThat(Described.operations()).containsExactlyInAnyOrderElementsOf(routes);
  }

  private List<Route> routes() {
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
      return Api.routes(
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
              desk()));
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
