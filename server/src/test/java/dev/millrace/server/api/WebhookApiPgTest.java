package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.HookSink;
import dev.millrace.server.rig.ServerRig;
import dev.millrace.testkit.net.Reply;
import dev.millrace.testkit.net.Request;
import dev.millrace.testkit.outside.StandardSignature;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Endpoints, what they are told, and what becomes of what they answer. */
class WebhookApiPgTest {

  private static final String PATH = "/api/admin/webhooks";
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  @TempDir static Path folder;

  private static HookSink sink;
  private static ServerRig rig;
  private static Client client;

  @BeforeAll
  static void start() {
    sink = new HookSink();
    rig = ServerRig.start(folder, sink.allowed(), "WEBHOOK_TIMEOUT_SECONDS=8");
    client = rig.admin();
  }

  @AfterAll
  static void stop() {
    rig.examine();
    rig.close();
    sink.close();
  }

  private static Answer endpoint(String path, String... events) {
    String asked =
        events.length == 0 ? "" : ",\"events\":[\"" + String.join("\",\"", events) + "\"]";
    return client.post(PATH, "{\"url\":\"%s\"%s}".formatted(sink.url(path), asked)).expect(201);
  }

  private static String completed() {
    String id = client.submitted();
    client.awaitJob(id, "completed");
    return id;
  }

  private static void awaitSeen(String path, int count) {
    await().atMost(PATIENCE).until(() -> sink.seen(path).size() >= count);
  }

  /** The only delivery about this job, once it is as wanted. */
  private static Answer awaitDelivery(String webhook, String state, int attempts) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> {
          Answer page = client.get(PATH + "/" + webhook + "/deliveries").expect(200);
          assertThat(page.at("/items/0/state")).as(page::text).isEqualTo(state);
          assertThat(page.at("/items/0/attempts")).as(page::text).isEqualTo("" + attempts);
          // A claim counts the attempt; its answer comes later.
          assertThat(page.at("/items/0/status") + page.at("/items/0/error")).isNotEmpty();
        });
    Answer page = client.get(PATH + "/" + webhook + "/deliveries").expect(200);
    return client.get(PATH + "/" + webhook + "/deliveries/" + page.at("/items/0/id")).expect(200);
  }

  private static void dueNow(String webhook) {
    rig.database()
        .execute(
            """
            update webhook_delivery set next_at = clock_timestamp()
            where webhook_id = '%s' and state = 'pending'
            """
                .formatted(webhook));
  }

  @Test
  void a_job_that_ends_is_told_with_a_signature_that_others_accept() {
    Answer made = endpoint("/ends");
    String secret = made.at("/secret");
    String job = completed();
    awaitSeen("/ends", 1);
    Request told = sink.seen("/ends").getFirst();

    assertThat(told.method()).isEqualTo("POST");
    assertThat(told.headers()).containsEntry("content-type", "application/json");
    assertThat(HookSink.accepts(secret, told)).isTrue();
    assertThat(HookSink.accepts("whsec_AAAA", told)).isFalse();
    assertThat(told.headers())
        .containsEntry(
            "webhook-signature",
            StandardSignature.of(
                secret,
                told.header("webhook-id").orElse(""),
                told.header("webhook-timestamp").orElse(""),
                told.body().text()));
    JsonNode payload = JsonMapper.shared().readTree(told.body().bytes());
    assertThat(payload.path("type").asString()).isEqualTo("job.completed");
    assertThat(payload.at("/data/job_id").asString()).isEqualTo(job);
    assertThat(payload.at("/data/state").asString()).isEqualTo("completed");
    assertThat(told.body().text()).doesNotContain("fox", "default", "http", "sketch");
    Answer delivery = awaitDelivery(made.at("/id"), "delivered", 1);
    assertThat(delivery.at("/log/0/status")).isEqualTo("200");
    assertThat(delivery.at("/log/0/excerpt")).isEqualTo("thanks");
    assertThat(delivery.json().path("payload")).isEqualTo(payload);
    assertThat(sink.seen("/ends")).hasSize(1);
  }

  @Test
  void an_endpoint_hears_what_it_asked_for_and_nothing_else() {
    endpoint("/all", "*");
    endpoint("/progress", "job.progress");
    endpoint("/created", "job.created");
    endpoint("/blocked", "job.blocked");
    // One that is done soon may have no progress to tell of.
    String job = client.submitted("\"delay_seconds\":6");
    client.awaitJob(job, "completed");
    awaitSeen("/all", 3);
    awaitSeen("/created", 1);
    awaitSeen("/progress", 1);

    assertThat(sink.seen("/all"))
        .filteredOn(request -> request.body().text().contains(job))
        .extracting(request -> type(request))
        .containsExactlyInAnyOrder("job.created", "job.running", "job.completed");
    assertThat(sink.seen("/progress"))
        .extracting(request -> type(request))
        .containsOnly("job.progress");
    assertThat(sink.seen("/created"))
        .extracting(request -> type(request))
        .containsOnly("job.created");
    assertThat(sink.seen("/blocked")).isEmpty();
  }

  private static String type(Request request) {
    return JsonMapper.shared().readTree(request.body().bytes()).path("type").asString();
  }

  @Test
  void a_failure_is_tried_again_with_the_same_id_and_rests_as_long_as_is_asked() {
    sink.on("/busy", Reply.text(503, "later").with("Retry-After", "3600"));
    String webhook = endpoint("/busy").at("/id");
    completed();
    Answer first = awaitDelivery(webhook, "pending", 1);

    assertThat(first.at("/log/0/status")).isEqualTo("503");
    assertThat(Instant.parse(first.at("/next_attempt_at")))
        .isBetween(Instant.now().plusSeconds(3400), Instant.now().plusSeconds(3700));
    assertThat(client.get(PATH + "/" + webhook).at("/failing_since")).isNotEmpty();
    sink.on("/busy", Reply.empty(204));
    dueNow(webhook);
    awaitDelivery(webhook, "delivered", 2);
    assertThat(sink.ids("/busy")).hasSize(2);
    assertThat(sink.ids("/busy").get(0)).isEqualTo(sink.ids("/busy").get(1));
    assertThat(client.get(PATH + "/" + webhook).at("/failing_since")).isEmpty();
  }

  @Test
  void a_redirect_is_a_failure_and_is_never_followed() {
    for (int status : List.of(301, 302, 303, 307, 308)) {
      String path = "/moved-" + status;
      // It asks for a long rest, so that there is one attempt for as long as somebody looks at it.
      sink.on(
          path,
          Reply.empty(status).with("Location", sink.url("/trap")).with("Retry-After", "3600"));
      String webhook = endpoint(path).at("/id");
      completed();
      assertThat(awaitDelivery(webhook, "pending", 1).at("/log/0/status")).isEqualTo("" + status);
      client.delete(PATH + "/" + webhook).expect(204);
    }
    assertThat(sink.seen("/trap")).isEmpty();
  }

  @Test
  void gone_disables_the_endpoint_and_enabling_sends_what_was_held_back() {
    sink.on("/gone", Reply.empty(410));
    String webhook = endpoint("/gone").at("/id");
    completed();
    await()
        .atMost(PATIENCE)
        .until(() -> client.get(PATH + "/" + webhook).at("/disabled_for").equals("gone"));
    assertThat(
            rig.ask(
                "select actor from audit where action = 'webhook.disable' and target = '%s'"
                    .formatted(webhook)))
        .isEqualTo("system");
    Answer failed = awaitDelivery(webhook, "failed", 1);
    String again = PATH + "/" + webhook + "/deliveries/" + failed.at("/id") + "/redeliver";
    client.post(again, "").problem(409, "webhook_disabled");

    sink.on("/gone", Reply.empty(200));
    client.post(PATH + "/" + webhook + "/enable", "").expect(200);
    client.post(again, "").expect(202);
    awaitDelivery(webhook, "delivered", 2);
    client
        .post(PATH + "/" + webhook + "/redeliver", "{\"since\":\"2026-01-01T00:00:00Z\"}")
        .expect(202);
  }

  @Test
  void a_slow_endpoint_delays_nobody_else() {
    sink.on("/silent", new Reply.Silence());
    String silent = endpoint("/silent").at("/id");
    endpoint("/quick");
    for (int i = 0; i < 12; i++) {
      client.submitted();
    }
    awaitSeen("/silent", 1);
    awaitSeen("/quick", 12);
    Answer slow = awaitDelivery(silent, "pending", 1);
    await()
        .atMost(PATIENCE)
        .until(
            () -> !client.get(PATH + "/" + silent + "/deliveries").at("/items/11/error").isEmpty());
    assertThat(slow.at("/id")).startsWith("msg_");
    client.delete(PATH + "/" + silent).expect(204);
  }

  @Test
  void both_secrets_sign_while_they_overlap() {
    Answer made = endpoint("/rotated");
    String webhook = made.at("/id");
    Answer rotated = client.post(PATH + "/" + webhook + "/rotate", "").expect(200);
    assertThat(rotated.at("/previous_secret_until")).isNotEmpty();
    client.post(PATH + "/" + webhook + "/test", "").expect(202);
    awaitSeen("/rotated", 1);
    Request both = sink.seen("/rotated").getFirst();
    assertThat(HookSink.accepts(made.at("/secret"), both)).isTrue();
    assertThat(HookSink.accepts(rotated.at("/secret"), both)).isTrue();

    Answer third =
        client.post(PATH + "/" + webhook + "/rotate", "{\"overlap_seconds\":0}").expect(200);
    client.post(PATH + "/" + webhook + "/test", "").expect(202);
    awaitSeen("/rotated", 2);
    Request one = sink.seen("/rotated").get(1);
    assertThat(HookSink.accepts(rotated.at("/secret"), one)).isFalse();
    assertThat(HookSink.accepts(third.at("/secret"), one)).isTrue();
    assertThat(rig.ask("select count(*) from webhook where webhook::text like '%whsec_%'"))
        .isEqualTo("0");
    assertThat(client.get(PATH).text()).doesNotContain("whsec_");
  }

  @Test
  void a_test_is_sent_once_also_to_who_is_disabled() {
    sink.on("/tested", Reply.text(500, "no\u0000"));
    String webhook = endpoint("/tested").at("/id");
    client.post(PATH + "/" + webhook + "/disable", "").expect(200);
    Answer test = client.post(PATH + "/" + webhook + "/test", "").expect(202);
    assertThat(test.at("/type")).isEqualTo("webhook.test");

    Answer failed = awaitDelivery(webhook, "failed", 1);
    assertThat(failed.at("/log/0/excerpt")).isEqualTo("no\ufffd");
    assertThat(client.get(PATH + "/" + webhook).at("/failing_since")).isEmpty();
  }

  @Test
  void addresses_that_are_not_public_are_refused() {
    for (String url :
        List.of(
            "http://localhost/",
            "http://127.0.0.1/",
            "http://[::1]/",
            "http://169.254.169.254/latest/meta-data",
            "http://10.0.0.1/",
            "http://0x7f.1/",
            "ftp://example.com/",
            "https://user:pass@example.com/",
            "nonsense")) {
      Answer refused = client.post(PATH, "{\"url\":\"%s\"}".formatted(url));
      refused.problem(422, "invalid_request");
      assertThat(refused.wrongPaths()).as(url).containsExactly("/url");
    }
  }

  @Test
  void the_feed_tells_the_same_to_who_asks_for_it() {
    String cursor = client.get("/api/admin/events").expect(200).at("/next_cursor");
    String job = completed();

    Answer page =
        await()
            .atMost(PATIENCE)
            .until(
                () -> client.get("/api/admin/events?wait=5&cursor=" + cursor).expect(200),
                answer -> answer.text().contains(job));
    assertThat(page.text()).doesNotContain("job.running", "fox");
    client.get("/api/admin/events?cursor=1").problem(422, "invalid_request");
    rig.as("user").get("/api/admin/events").problem(403, "forbidden");
  }

  @Test
  void only_admins_and_only_of_the_same_tenant_see_endpoints() {
    String webhook = endpoint("/mine").at("/id");
    rig.as("reviewer").get(PATH).problem(403, "forbidden");
    client.get(PATH + "/00000000-0000-0000-0000-000000000000").problem(404, "not_found");
    assertThat(client.get(PATH).text()).contains(webhook);
    Answer changed =
        client
            .put(
                PATH + "/" + webhook,
                "{\"url\":\"%s\",\"events\":[\"job.failed\"]}".formatted(sink.url("/other")))
            .expect(200);
    assertThat(changed.at("/events/0")).isEqualTo("job.failed");
    client.delete(PATH + "/" + webhook).expect(204);
    client.delete(PATH + "/" + webhook).problem(404, "not_found");
  }

  @Test
  void what_is_sent_is_counted() {
    endpoint("/counted");
    completed();
    awaitSeen("/counted", 1);
    await()
        .atMost(PATIENCE)
        .until(() ->
            client
                .get("/metrics")
                .text()
                .contains("millrace_webhook_attempts_total{outcome=\"delivered\"}"));
  }
}
