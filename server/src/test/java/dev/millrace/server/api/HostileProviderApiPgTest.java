package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Timings;
import dev.millrace.postgres.Database;
import dev.millrace.providers.fetch.FetchClient;
import dev.millrace.providers.fetch.FetchPolicy;
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
import dev.millrace.service.outside.Handover;
import dev.millrace.service.outside.LateArrivals;
import dev.millrace.service.outside.Orders;
import dev.millrace.storage.local.LocalObjectStore;
import dev.millrace.storage.output.Outputs;
import dev.millrace.storage.picture.Thumbnails;
import dev.millrace.storage.url.SigningKeys;
import dev.millrace.storage.url.UrlSigner;
import dev.millrace.testkit.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/**
 * Whatever a provider does, its job ends, its credits are accounted for, and the executor goes on.
 * The server runs no jobs here; an executor beside it does, as on a second machine.
 */
@Timeout(180)
class HostileProviderApiPgTest {

  private static final int CREDITS = 1_000;

  @TempDir static Path folder;

  private static final HostileProvider PROVIDER = new HostileProvider();
  private static ServerRig rig;
  private static Client client;
  private static Map<String, String> jobs;

  @BeforeAll
  static void runEveryTrick() {
    rig =
        ServerRig.start(
            folder,
            "EXECUTOR_SLOTS=0",
            "MAX_FAILURES=1",
            "MAX_INTERRUPTIONS=1",
            "WELCOME_CREDITS=0");
    rig.credit("victim", CREDITS);
    client = rig.boundTo("victim");
    jobs = new LinkedHashMap<>();
    PROVIDER
        .endings()
        .keySet()
        .forEach(
            trick -> jobs.put(trick, client.asked("sketch/draft", "\"prompt\":\"" + trick + "\"")));
    executeAll();
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  /** Until nothing is left to run; a job that is not run to its end runs into the timeout. */
  private static void executeAll() {
    TestDatabase test = rig.database();
    Duration minute = Duration.ofMinutes(1);
    Hub hub = new Hub();
    try (Database database =
            Database.open(new Database.Access(test.jdbcUrl(), test.user(), test.password(), 4));
        Engine engine =
            new Engine(
                database.store(),
                new Timings(minute, minute, minute, minute, new Timings.Backoff(minute, minute)),
                new Engine.LaneSizes(10, 100),
                UUID::randomUUID,
                _ -> {});
        InProcessExecutor _ = executor(database, engine, hub, offers(database)).start()) {
      jobs.values()
          .forEach(id -> client.awaitJob(id, "completed", "failed", "dead_letter", "rejected"));
    }
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

  private static InProcessExecutor executor(
      Database database, Engine engine, Hub hub, Offers offers) {
    UrlSigner signer = new UrlSigner(SigningKeys.of(new byte[32]));
    LocalObjectStore store = new LocalObjectStore(objects(), signer, InstantSource.system());
    Outputs outputs = new Outputs(store, new Thumbnails(), HostileProvider.MAX_OUTPUT_BYTES);
    InputFiles files = new InputFiles(offers, new JobAssets(database.files(), store), null);
    Accounts accounts = new Accounts(Map.of(PROVIDER.name(), PROVIDER), Map.of(), _ -> "default");
    ProviderOutputs fetch =
        new ProviderOutputs(
            new FetchClient(FetchPolicy.PUBLIC_WEB), HostileProvider.MAX_OUTPUT_BYTES);
    Verdicts verdicts = new Verdicts(outputs, fetch, _ -> "default", () -> 0.5);
    Orders orders = new Orders(offers, null);
    LateArrivals late =
        new LateArrivals(accounts, database.handovers(), database.lateResults(), orders, verdicts);
    return new InProcessExecutor(
        new InProcessExecutor.Config("victim", 4, Duration.ofSeconds(10)),
        PROVIDER.name(),
        Breaker.never(),
        offers,
        engine,
        hub,
        new AttemptRunner(
            accounts,
            engine,
            verdicts,
            new Handover(engine, database.handovers(), orders, files, late),
            Duration.ofSeconds(1)));
  }

  private static String id(String trick) {
    return Objects.requireNonNull(jobs.get(trick), trick);
  }

  private static Path objects() {
    return folder.resolve("data").resolve("objects");
  }

  @Test
  void every_trick_ends_as_it_should_at_the_first_attempt() {
    PROVIDER
        .endings()
        .forEach((trick, ending) -> {
          Answer job = client.job(id(trick));
          assertThat(job.at("/state")).as(trick + ": " + job.text()).isEqualTo(ending.state());
          assertThat(job.at("/error/code")).as(trick).isEqualTo(ending.code());
          assertThat(job.at("/attempt")).as(trick).isEqualTo("1");
          assertThat(job.at("/interruptions")).as(trick).isEqualTo("0");
          assertThat(job.text().length()).as(trick).isLessThan(5_000);
          client.get("/api/jobs/" + id(trick) + "/events").expect(200);
          client.get("/api/jobs/" + id(trick) + "/receipt").expect(200);
        });
    client.get("/api/jobs?limit=500").expect(200);
    client.get("/api/files?limit=500").expect(200);
  }

  @Test
  void only_results_and_refusals_by_a_safety_filter_are_paid() {
    long paid =
        PROVIDER.endings().values().stream()
            .filter(ending -> Set.of("completed", "rejected").contains(ending.state()))
            .count();

    assertThat(client.balance()).isEqualTo(CREDITS - paid);
    assertThat(client.get("/api/wallet").json().path("reserved").asLong()).isZero();
  }

  @Test
  void no_lease_and_no_broken_law_is_left() {
    assertThat(rig.ask("select count(*) from dispatch where lease_token is not null"))
        .isEqualTo("0");
    rig.examine();
  }

  @Test
  void only_the_files_of_completed_jobs_stay() throws IOException {
    try (Stream<Path> all = Files.walk(objects())) {
      long stored = all.filter(Files::isRegularFile).count();
      assertThat(Long.toString(stored)).isEqualTo(rig.ask("select count(*) from file"));
    }
  }

  @Test
  void names_of_outputs_are_safe_to_save() {
    for (var file : client.get("/api/files?limit=500").expect(200).json().path("items").values()) {
      assertThat(file.path("name").asString()).matches("[A-Za-z0-9_ .-]{1,190}\\.txt");
    }
  }

  @Test
  void plain_facts_are_told_as_they_are() {
    assertThat(client.job(id("plain facts")).json().path("summary"))
        .isEqualTo(
            JsonMapper.shared()
                .readTree("{\"fact\":[1,2.5,true,\"\uD83E\uDD8A\",{\"n\":1000000000}]}"));
  }
}
