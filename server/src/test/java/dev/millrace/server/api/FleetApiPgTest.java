package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.FleetRig;
import dev.millrace.server.rig.FleetRig.Work;
import dev.millrace.server.rig.FleetRig.Worker;
import dev.millrace.server.rig.ServerRig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who is let into the fleet, what each may take, and what admins do with it. */
@Timeout(180)
class FleetApiPgTest {

  private static final String OLD = "the-secret-before-it-was-also-32-long";
  private static final Duration FIVE_SECONDS = Duration.ofSeconds(5);
  private static final int TRIES = 4;

  @TempDir static Path folder;

  private static ServerRig rig;
  private static Client client;

  @BeforeAll
  static void start() {
    rig = FleetRig.start(folder, "FLEET_SECRET_PREVIOUS=" + OLD, "FLEET_MAX_WORKERS=30");
    client = rig.admin();
  }

  @AfterAll
  static void stop() {
    rig.examine();
    rig.close();
  }

  private static Answer register(String secret, String id, String slug) {
    return FleetRig.register(
        client, secret, "{\"worker_id\":\"%s\",\"workflow_slugs\":[\"%s\"]}".formatted(id, slug));
  }

  private static Answer admin(String worker, String verb) {
    return client.post("/api/admin/workers/" + worker + "/" + verb, "");
  }

  private static String submit(String effect) {
    return client.asked(effect, "\"prompt\":\"x\"");
  }

  @Test
  void a_misspelt_parameter_is_refused_where_a_secret_says_who_it_is() {
    String json = "{\"worker_id\":\"misspelt\",\"workflow_slugs\":[\"upscale\"]}";
    client
        .with(null)
        .post("/api/worker/register?max=3", json, "X-Fleet-Secret", FleetRig.SECRET)
        .problem(422, "invalid_request");
  }

  @Test
  void the_new_secret_and_the_one_before_are_good_and_nothing_else_is() {
    register(FleetRig.SECRET, "new-secret", "upscale").expect(201);
    register(OLD, "old-secret", "upscale").expect(201);
    register("x".repeat(32), "no-secret", "upscale").problem(401, "fleet_secret_wrong");
    client
        .with(null)
        .post("/api/worker/register", "{\"worker_id\":\"a\",\"workflow_slugs\":[\"upscale\"]}")
        .problem(401, "fleet_secret_wrong");
  }

  @Test
  void each_way_of_not_being_taken_has_its_own_code() {
    register(FleetRig.SECRET, "picky", "nothing").problem(422, "unknown_workflow");
    register(FleetRig.SECRET, "picky", "retired").problem(422, "inactive_workflow");
    Answer own = register(FleetRig.SECRET, "picky", "sketch").problem(422, "not_for_workers");
    assertThat(own.wrongPaths()).containsExactly("/workflow_slugs/0");
    register(FleetRig.SECRET, "local", "upscale").problem(422, "invalid_request");
    register(FleetRig.SECRET, "twin", "upscale").expect(201);
    register(FleetRig.SECRET, "twin", "upscale").problem(409, "worker_exists");
    admin("twin", "revoke").expect(200);
    register(FleetRig.SECRET, "twin", "upscale").problem(403, "name_revoked");
    admin("twin", "resume").problem(409, "already_revoked");
    client.delete("/api/admin/workers/twin").expect(204);
    register(FleetRig.SECRET, "twin", "upscale").expect(201);
  }

  @Test
  void the_fleet_has_no_more_workers_than_it_may_have() {
    try (ServerRig small = FleetRig.start(folder.resolve("small"), "FLEET_MAX_WORKERS=1")) {
      FleetRig.worker(small.admin(), "first", 1, "upscale");
      FleetRig.register(
              small.admin(),
              FleetRig.SECRET,
              "{\"worker_id\":\"second\",\"workflow_slugs\":[\"upscale\"]}")
          .problem(409, "fleet_full");
      small.admin().post("/api/admin/workers/first/revoke", "").expect(200);
      FleetRig.worker(small.admin(), "second", 1, "upscale");
    }
  }

  @Test
  void without_a_secret_no_worker_can_join() {
    try (ServerRig closed = ServerRig.start(folder.resolve("closed"))) {
      FleetRig.register(
              closed.admin(), "x", "{\"worker_id\":\"a\",\"workflow_slugs\":[\"upscale\"]}")
          .problem(403, "fleet_closed");
    }
  }

  @Test
  void a_worker_that_waits_for_approval_gets_no_jobs_until_it_has_it() throws Exception {
    try (ServerRig strict = FleetRig.start(folder.resolve("strict"), "FLEET_APPROVAL=manual");
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Worker worker = FleetRig.worker(strict.admin(), "new", 1, "upscale");
      String job = strict.admin().asked("upscale/one", "\"prompt\":\"x\"");
      assertThat(strict.admin().get("/api/jobs/" + job + "/why").expect(200).at("/message"))
          .isEqualTo("A worker that can run it waits until an operator approves it.");
      Answer refused = worker.poll(1, 0).expect(200);
      assertThat(refused.at("/status")).isEqualTo("pending_approval");
      assertThat(refused.json().path("jobs")).isEmpty();

      // A poll that is just coming in may miss the approval; then, like any worker, it asks again.
      Future<Work> waiting =
          threads.submit(() -> await().until(worker::lease, work -> !work.job().isMissingNode()));
      strict.admin().post("/api/admin/workers/new/approve", "").expect(200);
      waiting.get().complete("x").expect(200);
      assertThat(strict.ask("select string_agg(action, ',' order by id) from audit"))
          .isEqualTo("worker.register,worker.approve");
    }
  }

  @Test
  void a_worker_gets_only_workflows_it_is_assigned_to_and_providers_that_it_has() {
    String captioned = submit("caption/one");
    Worker other = FleetRig.worker(client, "other-workflow", 5, "upscale");
    Answer enrolled =
        FleetRig.register(
            client,
            FleetRig.SECRET,
            "{\"worker_id\":\"wrong\",\"workflow_slugs\":[\"caption\"],\"providers\":[\"cloud\"]}");
    Worker wrong = new Worker(client.with(enrolled.expect(201).at("/token")));
    assertThat(other.poll(5, 0).expect(200).json().path("jobs")).isEmpty();
    assertThat(wrong.poll(5, 0).expect(200).json().path("jobs")).isEmpty();

    client
        .put("/api/admin/workers/other-workflow/workflows", "{\"workflow_slugs\":[\"caption\"]}")
        .expect(200);
    Work work = other.lease();
    assertThat(work.id()).isEqualTo(captioned);
    assertThat(work.job().path("provider").asString()).isEqualTo("comfyui");
    work.complete("x").expect(200);
  }

  @Test
  void a_revoked_worker_is_dead_within_five_seconds() throws Exception {
    // A busy machine may itself need as long, so there are several tries.
    Duration took = revoked("doomed-1");
    for (int i = 2; i <= TRIES && took.compareTo(FIVE_SECONDS) >= 0; i++) {
      took = revoked("doomed-" + i);
    }
    assertThat(took).isLessThan(FIVE_SECONDS);
  }

  /** Revokes a worker that works and polls, and tells how long it took to be dead. */
  private static Duration revoked(String name) throws Exception {
    Worker worker = FleetRig.worker(client, name, 2, "upscale");
    String id = submit("upscale/one");
    Work work = worker.lease();
    String seen = "select last_seen_at > registered_at from worker where id = '" + name + "'";
    Duration took;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Answer> poll = threads.submit(() -> worker.poll(1, 30));
      await().until(() -> rig.ask(seen).equals("t"));
      long before = System.nanoTime();
      admin(name, "revoke").expect(200);
      assertThat(client.job(id).at("/state")).isIn("queued", "running");
      poll.get().problem(401, "worker_revoked");
      work.tell("heartbeat").problem(401, "worker_revoked");
      work.complete("x").problem(401, "worker_revoked");
      took = Duration.ofNanos(System.nanoTime() - before);
    }
    FleetRig.worker(client, "heir-of-" + name, 2, "upscale").lease().complete("x").expect(200);
    client.awaitJob(id, "completed");
    return took;
  }

  @Test
  void a_draining_worker_keeps_its_jobs_and_gets_no_more() {
    Worker worker = FleetRig.worker(client, "tired", 2, "upscale");
    submit("upscale/one");
    Work work = worker.lease();
    assertThat(admin("tired", "drain").expect(200).at("/status")).isEqualTo("draining");
    submit("upscale/one");
    Answer poll = worker.poll(1, 0).expect(200);
    assertThat(poll.at("/status")).isEqualTo("draining");
    assertThat(poll.json().path("jobs")).isEmpty();
    work.tell("heartbeat").expect(200);
    work.complete("x").expect(200);
    admin("tired", "resume").expect(200);
    worker.lease().complete("x").expect(200);
  }

  @Test
  void a_rotated_token_replaces_the_old_one_and_the_lease_goes_on() {
    Worker worker = FleetRig.worker(client, "rotated", 1, "upscale");
    submit("upscale/one");
    Work work = worker.lease();
    Worker renewed = new Worker(client.with(admin("rotated", "rotate").expect(200).at("/token")));
    worker.poll(1, 0).problem(401, "worker_unknown");
    new Work(renewed, work.job()).complete("x").expect(200);
  }

  @Test
  void the_list_shows_who_is_there_page_by_page() {
    FleetRig.worker(client, "a-first", 3, "upscale");
    FleetRig.worker(client, "a-second", 3, "upscale");
    Answer page = client.get("/api/admin/workers?limit=1").expect(200);
    assertThat(page.at("/items/0/worker_id")).isEqualTo("a-first");
    Answer next =
        client.get("/api/admin/workers?limit=1&cursor=" + page.at("/next_cursor")).expect(200);
    assertThat(next.at("/items/0/worker_id")).isEqualTo("a-second");
    assertThat(client.get("/api/admin/workers/a-first").expect(200).at("/max_concurrency"))
        .isEqualTo("3");
    client.get("/api/admin/workers/nobody").problem(404, "not_found");
    rig.as("user").get("/api/admin/workers").problem(403, "forbidden");
  }

  @Test
  void a_worker_that_was_silent_for_too_long_is_forgotten_and_its_jobs_go_on() {
    Worker worker = FleetRig.worker(client, "lost", 1, "upscale");
    // Each has its own reading of the clock, so they differ now and then from the start.
    rig.database().execute("update worker set last_seen_at = registered_at where id = 'lost'");
    String id = submit("upscale/one");
    worker.lease();
    await()
        .until(() ->
            rig.ask("select last_seen_at > registered_at from worker where id = 'lost'")
                .equals("t"));
    // Again and again, because the node may have been about to write that it saw the worker.
    await()
        .until(() -> {
          rig.database()
              .execute(
                  "update worker set last_seen_at = registered_at - interval '1 day' where id = 'lost'");
          return client.get("/api/admin/workers/lost").status() == 404;
        });
    FleetRig.worker(client, "lost", 1, "upscale").lease().complete("x").expect(200);
    client.awaitJob(id, "completed");
  }
}
