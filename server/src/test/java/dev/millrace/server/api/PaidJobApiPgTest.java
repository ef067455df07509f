package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.Described;
import dev.millrace.server.rig.ServerRig;
import dev.millrace.server.rig.Sse;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** One paid job from its submit to its receipt, as a product would see it. */
class PaidJobApiPgTest {

  @TempDir static Path folder;

  private static ServerRig rig;
  private static Client client;
  private static String id;
  private static List<Sse.Frame> streamed;

  @BeforeAll
  static void runAJob() throws Exception {
    rig = ServerRig.start(folder, "WELCOME_CREDITS=100");
    client = rig.admin();
    Answer submitted =
        client.post(
            "/api/jobs",
            """
            {"effect":"sketch/poster","input":{"prompt":"a red fox"},"priority":7}
            """);
    submitted.expect(201);
    id = submitted.at("/id");
    assertThat(submitted.header("location")).contains("/api/jobs/" + id);
    try (Sse stream = client.stream("/api/jobs/" + id + "/stream")) {
      assertThat(stream.header("content-type")).contains("text/event-stream");
      streamed = stream.toTheEnd();
    }
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  @Test
  void the_stream_tells_the_same_history_as_the_cursor() {
    JsonNode page = client.get("/api/jobs/" + id + "/events").expect(200).json();

    assertThat(streamed)
        .extracting(Sse.Frame::json)
        .isEqualTo(List.copyOf(page.path("items").values()));
    assertThat(streamed).allSatisfy(frame -> assertThat(frame.event()).isEqualTo("job-event"));
    for (int i = 0; i < streamed.size(); i++) {
      assertThat(streamed.get(i).id()).isEqualTo(Integer.toString(i + 1));
      assertThat(streamed.get(i).json().path("id").asInt()).isEqualTo(i + 1);
    }
    assertThat(streamed.getFirst().json().path("state").asString()).isEqualTo("queued");
    assertThat(streamed.getLast().json().path("state").asString()).isEqualTo("completed");
    assertThat(page.path("last_event_id").asInt()).isEqualTo(streamed.size());
  }

  @Test
  void the_history_can_be_read_in_pages_without_gap_or_repeat() {
    int after = 0;
    for (int wanted = 1; wanted <= streamed.size(); wanted++) {
      JsonNode page =
          client.get("/api/jobs/" + id + "/events?limit=1&after_id=" + after).expect(200).json();
      assertThat(page.path("items").path(0).path("id").asInt()).isEqualTo(wanted);
      after = page.path("last_event_id").asInt();
    }
    JsonNode rest = client.get("/api/jobs/" + id + "/events?after_id=" + after).expect(200).json();
    assertThat(rest.path("items")).isEmpty();
    assertThat(rest.path("last_event_id").asInt()).isEqualTo(after);
  }

  @Test
  void the_finished_job_shows_its_outputs_and_what_it_cost() {
    Answer job = client.job(id);

    assertThat(job.at("/state")).isEqualTo("completed");
    assertThat(job.at("/progress")).isEqualTo("100");
    assertThat(job.at("/priority")).isEqualTo("7");
    assertThat(job.at("/input/prompt")).isEqualTo("a red fox");
    assertThat(job.at("/input/style")).isEqualTo("poster");
    assertThat(job.at("/summary/style")).isEqualTo("poster");
    assertThat(job.json().path("credits").toString())
        .isEqualTo("{\"held\":5,\"captured\":5,\"refunded\":0}");
    assertThat(job.json().path("outputs")).hasSize(1);
    assertThat(job.json().path("last_event_id").asInt()).isEqualTo(streamed.size());
  }

  @Test
  void the_output_can_be_downloaded_without_a_key_and_is_what_was_promised() throws Exception {
    JsonNode file = client.job(id).json().path("outputs").path(0);
    Answer download = client.get(file.path("url").asString()).expect(200);

    assertThat(download.header("content-type")).contains("image/png");
    assertThat(download.bytes()).hasSize(file.path("size").asInt());
    assertThat(sha256(download.bytes())).isEqualTo(file.path("sha256").asString());
    var picture = ImageIO.read(new ByteArrayInputStream(download.bytes()));
    assertThat(picture.getWidth()).isEqualTo(file.path("width").asInt());

    Answer thumbnail = client.get(file.path("thumbnail_url").asString()).expect(200);
    assertThat(ImageIO.read(new ByteArrayInputStream(thumbnail.bytes())).getWidth())
        .isBetween(1, picture.getWidth());

    Answer part = client.get(file.path("url").asString(), "Range", "bytes=0-7").expect(206);
    assertThat(part.bytes()).hasSize(8);
    client
        .get(file.path("url").asString(), "Range", "bytes=99999999-")
        .problem(416, "range_not_satisfiable");
  }

  @Test
  void a_url_that_was_touched_is_refused() {
    String url = client.job(id).at("/outputs/0/url");

    client.get(url + "x").problem(403, "bad_signature");
    client.get(url.replaceFirst("expires=[0-9]+", "expires=1")).problem(403, "bad_signature");
    client.get(url.replaceFirst("\\?.*", "")).problem(403, "bad_signature");
  }

  @Test
  void the_library_has_the_file_too() {
    String file = client.job(id).at("/outputs/0/id");

    assertThat(client.get("/api/files").expect(200).at("/items/0/id")).isEqualTo(file);
    assertThat(client.get("/api/files/" + file).expect(200).at("/job_id")).isEqualTo(id);
  }

  @Test
  void the_receipt_adds_up_and_the_wallet_agrees() {
    JsonNode receipt = client.get("/api/jobs/" + id + "/receipt").expect(200).json();

    assertThat(receipt.path("held").asLong())
        .isEqualTo(receipt.path("captured").asLong() + receipt.path("refunded").asLong())
        .isEqualTo(5);
    assertThat(receipt.path("lines").values())
        .extracting(line -> line.path("type").asString() + " " + line.path("amount").asLong())
        .containsExactly("job_reserve -5", "job_consume 0");
    assertThat(receipt.path("attempts")).hasSize(1);
    assertThat(receipt.path("attempts").path(0).path("outcome").asString()).isEqualTo("completed");
    assertThat(receipt.path("seconds").asDouble())
        .isEqualTo(receipt.path("attempts").path(0).path("seconds").asDouble());
    assertThat(client.get("/api/wallet").expect(200).text())
        .isEqualTo("{\"user\":\"default\",\"balance\":95,\"reserved\":0}");
  }

  @Test
  void the_ledger_is_read_newest_first_in_pages() {
    JsonNode first = client.get("/api/wallet/ledger?limit=2").expect(200).json();
    JsonNode second =
        client
            .get("/api/wallet/ledger?limit=2&cursor=" + first.path("next_cursor").asString())
            .expect(200)
            .json();

    assertThat(first.path("items").values())
        .extracting(line -> line.path("type").asString())
        .containsExactly("job_consume", "job_reserve");
    assertThat(first.path("items").path(0).path("captured").asLong()).isEqualTo(5);
    assertThat(second.path("items").values())
        .extracting(
            line -> line.path("type").asString() + " " + line.path("balance_after").asLong())
        .containsExactly("payment_credit 100");
    assertThat(second.path("next_cursor").isNull()).isTrue();
  }

  @Test
  void an_unchanged_job_is_not_sent_again() {
    // Its URLs are renewed each half hour, which makes another version of it.
    await()
        .untilAsserted(() -> {
          String tag = client.job(id).header("etag").orElseThrow();
          for (String header : List.of(tag, "W/" + tag, "\"other\", " + tag, "*")) {
            Answer same = client.get("/api/jobs/" + id, "If-None-Match", header).expect(304);
            assertThat(same.bytes()).isEmpty();
            assertThat(same.header("etag")).contains(tag);
          }
        });
    client.get("/api/jobs/" + id, "If-None-Match", "\"other\"").expect(200);
  }

  @Test
  void a_list_of_jobs_lacks_the_input_and_has_the_outputs() {
    JsonNode page = client.get("/api/jobs?state=completed&effect=sketch/poster").expect(200).json();

    assertThat(page.path("items")).hasSize(1);
    assertThat(page.path("items").path(0).has("input")).isFalse();
    assertThat(page.path("items").path(0).path("outputs")).hasSize(1);
    assertThat(client.get("/api/jobs?state=running,queued").expect(200).json().path("items"))
        .isEmpty();
  }

  @Test
  void every_invariant_holds() {
    rig.examine();
  }

  @Test
  void the_system_routes_answer_without_a_key() {
    Client anybody = rig.withoutKey();

    anybody.get("/").expect(200);
    assertThat(anybody.get("/healthz").expect(200).text()).isEqualTo("ok\n");
    assertThat(anybody.get("/readyz").expect(200).text()).isEqualTo("ready\n");
    // It is counted after the commit, and so after the stream may have told of it.
    await()
        .untilAsserted(() ->
            assertThat(anybody.get("/metrics").expect(200).text())
                .contains("millrace_job_transitions_total{state=\"completed\"} 1.0"));
    assertThat(anybody.get("/openapi.json").expect(200).json()).isEqualTo(Described.FILE);
  }

  private static String sha256(byte[] bytes) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }
}
