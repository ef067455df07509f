package dev.millrace.server.dialect;

import static dev.millrace.server.dialect.VideosRig.FILM;
import static dev.millrace.server.dialect.VideosRig.SECRET;
import static dev.millrace.server.dialect.VideosRig.apply;
import static dev.millrace.server.dialect.VideosRig.await;
import static dev.millrace.server.dialect.VideosRig.put;
import static dev.millrace.server.dialect.VideosRig.video;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Walks through seed 002, a video effects platform, from the upload to the result. */
class VideosPgTest {

  @TempDir static Path folder;
  private static ServerRig rig;

  private Client user;

  @BeforeAll
  static void start() throws IOException {
    rig = VideosRig.start(folder);
  }

  @AfterAll
  static void stop() {
    rig.examine();
    rig.close();
  }

  @BeforeEach
  void somebody_with_ten_tokens() {
    String name = "u-" + UUID.randomUUID();
    rig.credit(name, 10);
    user = rig.boundTo(name);
  }

  private static Answer register(String id) {
    return rig.withoutKey()
        .post(
            "/videos/api/worker/register",
            """
            {"worker_id":"%s","workflow_slugs":["face-swap"],"max_concurrency":1,"capabilities":{"gpu":"L4"}}
            """
                .formatted(id),
            "X-Fleet-Secret",
            SECRET);
  }

  /** A worker of this test alone; what it does not finish it gives back. */
  private record Worker(Client client, String id) implements AutoCloseable {

    static Worker registered() {
      String id = "i-" + UUID.randomUUID();
      Answer answer = register(id).expect(200);
      assertThat(answer.json().path("workflows_assigned").toString()).isEqualTo("[\"face-swap\"]");
      assertThat(answer.at("/data/token")).isEqualTo(answer.at("/token"));
      return new Worker(rig.withoutKey().with(answer.at("/token")), id);
    }

    Answer poll() {
      return call(
          "poll",
          "{\"worker_id\":\"%s\",\"providers\":[\"self_hosted\"],\"current_load\":0,\"max_concurrency\":1,\"wait\":20}"
              .formatted(id));
    }

    JsonNode lease() {
      JsonNode job = poll().expect(200).json().at("/data/job");
      assertThat(job.isObject()).isTrue();
      return job;
    }

    Answer call(String name, String body) {
      return client.post("/videos/api/worker/" + name, body);
    }

    Answer tell(String name, JsonNode job, String more) {
      return call(
          name,
          "{\"dispatch_id\":%s,\"lease_token\":%s,\"worker_id\":\"%s\"%s}"
              .formatted(job.path("dispatch_id"), job.path("lease_token"), id, more));
    }

    @Override
    public void close() {
      call("deregister", "{\"worker_id\":\"%s\"}".formatted(id)).expect(200);
    }
  }

  @Test
  void a_video_goes_from_its_upload_to_the_result_and_is_paid_once() {
    String video = video(user);
    assertThat(user.get("/api/videos/" + video).at("/status")).isEqualTo("queued");
    Answer job = apply(user, video, "once", "\"prompt\":\"a fox\"").expect(201);
    assertThat(job.at("/reserved_tokens")).isEqualTo("3");
    assertThat(user.balance()).isEqualTo(7);
    assertThat(apply(user, video, "once", "\"prompt\":\"a fox\"").expect(200).at("/id"))
        .isEqualTo(job.at("/id"));
    assertThat(rig.as("admin").job(job.at("/id")).at("/dialect")).isEqualTo("videos");

    try (Worker worker = Worker.registered()) {
      JsonNode leased = worker.lease();
      await(user, video, "processing");
      requireWork(leased, worker.id());
      byte[] film = user.get(leased.path("input_url").asString()).expect(200).bytes();
      assertThat(film).isEqualTo(FILM);
      assertThat(worker.tell("heartbeat", leased, ",\"progress\":40").expect(200).at("/cancel"))
          .isEqualTo("false");
      worker.tell("complete", leased, "").problem(409, "upload_missing");
      String place = leased.path("output_url").asString();
      put(user, place, leased.path("output_headers"), "cut off".getBytes(StandardCharsets.UTF_8))
          .expect(200);
      put(user, place, leased.path("output_headers"), FILM).expect(200);
      String output =
          ",\"provider_job_id\":\"p\",\"output\":{\"size\":1,\"mime_type\":\"video/mp4\"}";
      assertThat(worker.tell("complete", leased, output).expect(200).at("/state"))
          .isEqualTo("completed");
      assertThat(worker.tell("complete", leased, output).expect(200).at("/state"))
          .isEqualTo("completed");
    }
    Answer done = await(user, video, "completed");
    assertThat(user.get(done.at("/processed_file_url")).expect(200).bytes()).isEqualTo(FILM);
    assertThat(done.at("/processing_details/mime_type")).isEqualTo("video/mp4");
    assertThat(done.at("/data/processed_file_url")).isNotBlank();
    Answer paid = user.get("/api/ai-jobs/" + job.at("/id")).expect(200);
    assertThat(
            paid.at("/status")
                + " "
                + paid.at("/dispatch_status")
                + " "
                + paid.at("/consumed_tokens"))
        .isEqualTo("completed completed 3");
    assertThat(paid.at("/video_id")).isEqualTo(video);
    assertThat(user.balance()).isEqualTo(7);
  }

  private static void requireWork(JsonNode leased, String worker) {
    assertThat(leased.path("provider").asString()).isEqualTo("self_hosted");
    JsonNode payload = leased.path("input_payload");
    assertThat(payload.path("output_node_id").asString()).isEqualTo("9");
    assertThat(payload.at("/workflow/4/inputs/text").asString()).isEqualTo("a fox");
    JsonNode primary = payload.at("/assets/0");
    assertThat(primary.path("is_primary_input").asBoolean()).isTrue();
    assertThat(payload.at("/workflow/1/inputs/image").asString())
        .isEqualTo(primary.path("placeholder").asString());
    assertThat(payload.at("/assets/1/is_primary_input").asBoolean()).isFalse();
    assertThat(payload.at("/assets/1/content_hash").asString()).hasSize(64);
    assertThat(leased.path("output_headers").path("X-Worker-Id").asString()).isEqualTo(worker);
  }

  @Test
  void what_fails_is_told_in_its_workers_words_and_refunded() {
    String video = video(user);
    apply(user, video, "fails", "").expect(201);
    try (Worker worker = Worker.registered()) {
      JsonNode leased = worker.lease();
      worker
          .tell(
              "fail",
              leased,
              ",\"error_message\":\"{\\\"exception_message\\\":\\\"No face was found.\\\"}\"")
          .expect(200);
    }
    Answer failed = await(user, video, "failed");
    assertThat(failed.at("/error")).isEqualTo("No face was found.");
    assertThat(failed.at("/processing_details/error")).isEqualTo("No face was found.");
    assertThat(user.balance()).isEqualTo(10);
    assertThat(failed.at("/effect/slug")).isEqualTo("face-swap/one");
  }

  @Test
  void a_job_that_is_given_back_is_no_failure_and_goes_to_the_next() {
    String video = video(user);
    String job = apply(user, video, "spot", "").expect(201).at("/id");
    try (Worker worker = Worker.registered()) {
      JsonNode leased = worker.lease();
      worker.tell("requeue", leased, "").problem(422, "invalid_request");
      worker.tell("requeue", leased, ",\"reason\":\"spot\"").expect(200);
      await(user, video, "queued");
      worker.tell("heartbeat", leased, "").problem(409, "stale_lease");
      put(user, leased.path("output_url").asString(), leased.path("output_headers"), FILM)
          .problem(409, "stale_lease");
      JsonNode again = worker.lease();
      assertThat(again.path("dispatch_id").asString()).isEqualTo(job);
      assertThat(rig.as("admin").job(job).json().path("failures").asInt()).isZero();
      worker.tell("fail", again, "").expect(200);
    }
    assertThat(await(user, video, "failed").at("/error")).isEqualTo("Processing failed.");
  }

  @Test
  void who_has_too_few_tokens_is_told_how_many_it_takes() {
    String name = "poor-" + UUID.randomUUID();
    Client poor = rig.boundTo(name);
    Answer refused = apply(poor, video(poor), "poor", "").problem(422, "insufficient_credits");
    assertThat(refused.at("/message")).isEqualTo("Insufficient token balance.");
    assertThat(refused.at("/required_tokens")).isEqualTo("3");
    assertThat(refused.at("/data/required_tokens")).isEqualTo("3");
    assertThat(refused.at("/success")).isEqualTo("false");
  }

  @Test
  void nobody_joins_without_the_fleets_secret() {
    Answer refused =
        rig.withoutKey()
            .post(
                "/videos/api/worker/register",
                "{\"worker_id\":\"w\",\"workflow_slugs\":[\"face-swap\"]}",
                "X-Fleet-Secret",
                "guessed");
    assertThat(refused.problem(401, "fleet_secret_wrong").at("/success")).isEqualTo("false");
  }

  @Test
  void a_worker_at_its_limit_or_of_another_provider_gets_nothing() {
    String job = apply(user, video(user), "not-yours", "").expect(201).at("/id");
    try (Worker worker = Worker.registered()) {
      Answer full =
          worker.call("poll", "{\"current_load\":1,\"max_concurrency\":1,\"wait\":0}").expect(200);
      assertThat(full.at("/message")).isEqualTo("Worker at capacity");
      Answer other = worker.call("poll", "{\"providers\":[\"cloud\"]}").expect(200);
      assertThat(other.json().path("job").isNull()).isTrue();
      register(worker.id()).problem(409, "worker_exists");
    }
    user.post("/api/jobs/" + job + "/cancel", "").expect(200);
  }

  @Test
  void nobody_else_sees_a_video_or_makes_one_of_it() {
    String video = video(user);
    Client stranger = rig.boundTo("stranger");
    stranger.get("/api/videos/" + video).problem(404, "not_found");
    stranger
        .post("/api/videos", "{\"original_file_id\":\"" + video + "\"}")
        .problem(404, "not_found");
    rig.credit("stranger", 10);
    assertThat(apply(stranger, video, "theirs", "").problem(422, "invalid_request").wrongPaths())
        .containsExactly("/video_id");
    // A job of another surface that says that it belongs to the video is none of its jobs.
    stranger
        .post(
            "/api/jobs",
            """
            {"effect":"sketch/draft","input":{"prompt":"x"},"related":{"type":"video","id":"%s"}}
            """
                .formatted(video))
        .expect(201);
    assertThat(user.get("/api/videos/" + video).json().path("ai_job_id").isNull()).isTrue();
  }

  @Test
  void a_file_that_did_not_come_is_no_video() {
    Answer opened =
        user.post(
                "/api/videos/uploads",
                "{\"mime_type\":\"video/mp4\",\"size\":9,\"original_filename\":\"a.mp4\"}")
            .expect(201);
    user.post("/api/videos", "{\"original_file_id\":\"" + opened.at("/file/id") + "\"}")
        .problem(409, "upload_missing");
    assertThat(
            user.post("/api/videos/uploads", "{\"mime_type\":\"video/nonsense\",\"size\":0}")
                .problem(422, "invalid_request")
                .wrongPaths())
        .contains("/mime_type", "/size", "/original_filename");
  }

  @Test
  void mistakes_are_named_in_the_clients_own_fields() {
    assertThat(
            apply(user, video(user), "k", "\"colour\":1")
                .problem(422, "invalid_request")
                .wrongPaths())
        .containsExactly("/input_payload/colour");
    assertThat(user.post("/api/ai-jobs", "{}").problem(422, "invalid_request").wrongPaths())
        .containsExactly("/effect_id");
  }
}
