package dev.millrace.service.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.command.Timings;
import dev.millrace.engine.command.TopUp;
import dev.millrace.engine.money.QuotaUse;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Changes;
import dev.millrace.engine.port.Signal;
import dev.millrace.postgres.Database;
import dev.millrace.postgres.fleet.WorkerView;
import dev.millrace.postgres.fleet.Workers;
import dev.millrace.service.catalogue.EffectPolicy;
import dev.millrace.service.catalogue.WorkflowLimits;
import dev.millrace.service.catalogue.reading.CatalogueFiles;
import dev.millrace.service.catalogue.reading.CatalogueRules;
import dev.millrace.service.files.JobAssets;
import dev.millrace.service.files.UploadedOutputs;
import dev.millrace.service.fleet.Polling.Polled;
import dev.millrace.service.fleet.WorkerFiles.Terms;
import dev.millrace.service.fleet.WorkerTokens.Admitted;
import dev.millrace.service.fleet.WorkerTokens.Caller;
import dev.millrace.service.fleet.WorkerTokens.Refusal;
import dev.millrace.service.jobs.Offers;
import dev.millrace.storage.local.LocalObjectStore;
import dev.millrace.storage.picture.Previews;
import dev.millrace.storage.picture.Thumbnails;
import dev.millrace.storage.url.SigningKeys;
import dev.millrace.storage.url.UrlSigner;
import dev.millrace.testkit.TestDatabase;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Thousands of polls that wait on one node cost the database nothing. */
@Timeout(120)
class PollingPgTest {

  private static final int POLLS = 5_000;
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** Longer than the test: none may end by itself. */
  private static final Duration LONG = Duration.ofMinutes(2);

  private static final Terms TERMS = new Terms(SECOND, URI.create("http://localhost"));

  @TempDir Path folder;

  private final PollRoom room = new PollRoom();
  private final AtomicInteger transactions = new AtomicInteger();

  @BeforeEach
  void aWorkflow() throws IOException {
    Files.writeString(
        folder.resolve("upscale.yaml"),
        """
        {workflow: upscale, title: Upscale, executor: worker, properties: {prompt: {type: string}},
         effects: [{effect: upscale, title: Upscale, credits_cost: 1}]}
        """);
  }

  @Test
  void a_poll_that_is_on_its_way_when_its_worker_changes_hears_of_it_at_once() throws Exception {
    try (TestDatabase test = TestDatabase.create();
        Database database = open(test);
        Engine engine = engine(database)) {
      Offers offers = new Offers(catalogue(), database.catalogueIds());
      offers.reload();
      WorkerTokens tokens = new WorkerTokens(database.workers());
      Polling polling = polling(database, engine, offers, tokens);
      Caller admitted = enrolled(database, offers);
      assertThat(tokens.again(admitted)).isInstanceOf(Admitted.class);

      test.execute("update worker set draining_at = clock_timestamp()");
      UUID uid = admitted.worker().uid();
      tokens.forget(Set.of(uid));
      room.tell(Signal.ofWorker(uid));

      assertThat(polling.poll(admitted, 1, LONG, TERMS))
          .isEqualTo(new Polled.Answered(WorkerView.Status.DRAINING, List.of()));
    }
  }

  @Test
  void a_poll_ends_when_its_worker_is_revoked_while_it_waits() throws Exception {
    try (TestDatabase test = TestDatabase.create();
        Database database = open(test);
        Engine engine = engine(database);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Offers offers = new Offers(catalogue(), database.catalogueIds());
      offers.reload();
      WorkerTokens tokens = new WorkerTokens(database.workers());
      Polling polling = polling(database, engine, offers, tokens);
      Caller caller = enrolled(database, offers);
      Future<Polled> poll = threads.submit(() -> polling.poll(caller, 1, LONG, TERMS));
      Awaitility.await().until(() -> room.idle() == 1);

      test.execute("update worker set revoked_at = clock_timestamp()");
      room.tell(Signal.ofWorker(caller.worker().uid()));

      assertThat(poll.get()).isEqualTo(new Polled.TurnedAway(Refusal.REVOKED));
    }
  }

  @Test
  void five_thousand_polls_wait_without_a_query_and_one_job_reaches_one_of_them() throws Exception {
    try (TestDatabase test = TestDatabase.create();
        Database database = open(test);
        Engine engine = engine(database);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Offers offers = new Offers(catalogue(), database.catalogueIds());
      offers.reload();
      WorkerTokens tokens = new WorkerTokens(database.workers());
      Polling polling = polling(database, engine, offers, tokens);
      Caller caller = enrolled(database, offers);
      List<Future<Polled>> polls = new ArrayList<>();
      for (int i = 0; i < POLLS; i++) {
        polls.add(threads.submit(() -> polling.poll(caller, 1, LONG, TERMS)));
      }
      Awaitility.await().until(() -> room.idle() == POLLS);

      int before = transactions.get();
      Awaitility.await().pollDelay(SECOND).until(() -> true);
      assertThat(transactions.get() - before).as("transactions while all wait").isZero();

      submit(database, engine, offers);
      Awaitility.await().until(() -> polls.stream().filter(Future::isDone).count() == 1);
      assertThat(transactions.get() - before).as("one submit and a few looks").isLessThan(30);
      room.close();
      int leased = 0;
      for (Future<Polled> poll : polls) {
        leased += ((Polled.Answered) poll.get()).jobs().size();
      }
      assertThat(leased).isEqualTo(1);
    }
  }

  private static Database open(TestDatabase test) {
    return Database.open(new Database.Access(test.jdbcUrl(), test.user(), test.password(), 6));
  }

  private Polling polling(Database database, Engine engine, Offers offers, WorkerTokens tokens) {
    LeaseMemory memory = new LeaseMemory(database.leases());
    LeaseHandout handover = new LeaseHandout(files(database, offers), memory, engine, () -> 0);
    return new Polling(tokens, room, offers, engine, handover);
  }

  private WorkerFiles files(Database database, Offers offers) {
    LocalObjectStore store =
        new LocalObjectStore(
            folder.resolve("objects"),
            new UrlSigner(SigningKeys.of(new byte[32])),
            InstantSource.system());
    return new WorkerFiles(
        new WorkerFiles.Sources(
            offers,
            new JobAssets(database.files(), store),
            new UploadedOutputs(store, new Previews(store, new Thumbnails()), 1, 1),
            1,
            (_, _) -> "{}",
            database.tenants()::slug),
        SECOND);
  }

  private Engine engine(Database database) {
    Timings timings =
        new Timings(SECOND, SECOND, SECOND, SECOND, new Timings.Backoff(SECOND, SECOND));
    return new Engine(
        new CountingStore(database.store(), transactions),
        timings,
        new Engine.LaneSizes(256, 10_000),
        UUID::randomUUID,
        changes -> room.tell(Signal.of(changes)));
  }

  private CatalogueFiles catalogue() {
    return new CatalogueFiles(
        new CatalogueRules(
            1_000_000,
            Set.of("worker", "sketch"),
            new WorkflowLimits(60, 60),
            new EffectPolicy(1, 1, EffectPolicy.Review.NONE, false, false)),
        folder);
  }

  private static Caller enrolled(Database database, Offers offers) {
    String hash = "0a".repeat(32);
    int queue = offers.workflow("upscale").orElseThrow().id();
    database
        .workers()
        .register(
            new Workers.NewWorker(
                "w", UUID.randomUUID(), hash, 100, null, "{}", List.of(queue), true),
            1);
    return new Caller(database.workers().byToken(hash).orElseThrow(), hash);
  }

  private static void submit(Database database, Engine engine, Offers offers)
      throws InterruptedException {
    Wallet.Owner owner = new Wallet.Owner(database.tenants().ensure("acme"), "ada");
    engine.topUp(new TopUp(owner, 10, "pay", null));
    engine.submit(
        new SubmitJob(
            UUID.randomUUID(),
            owner,
            offers.find("upscale").orElseThrow().terms(),
            new SubmitJob.Identity(null, "f", null),
            new SubmitJob.Request("{}", 0, null, Changes.Links.NONE),
            QuotaUse.Limits.UNLIMITED,
            null));
  }
}
