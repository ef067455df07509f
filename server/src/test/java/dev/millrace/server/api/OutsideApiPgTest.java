package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import dev.millrace.testkit.openai.OpenAiDouble;
import dev.millrace.testkit.openai.Replies;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Jobs that are run by outside services, from their submit to their bill. */
class OutsideApiPgTest {

  private static final String KEY = "sk-canary-5513";

  @TempDir static Path folder;

  private static OpenAiDouble service;
  private static OpenAiDouble site;
  private static ServerRig rig;
  private static Client client;

  @BeforeAll
  static void start() {
    service = new OpenAiDouble(KEY);
    site = new OpenAiDouble("");
    rig =
        ServerRig.start(
            folder,
            "WELCOME_CREDITS=100",
            "MAX_FAILURES=1",
            "OPENAI_URL=" + service.url(),
            "OPENAI_API_KEY=" + KEY,
            "FETCH_ALLOW=127.0.0.1:" + site.url().getPort());
    client = rig.admin();
  }

  @AfterAll
  static void stop() {
    rig.examine();
    rig.close();
    service.close();
    site.close();
  }

  @Test
  void copy_is_written_and_paid_for() {
    service.on(OpenAiDouble.CHAT, Replies.streamed("Run.\n\n", "x".repeat(60), "."));

    Answer job = client.awaitJob(client.asked("copy", "\"prompt\":\"a shoe\""), "completed");

    assertThat(job.at("/credits/captured")).isEqualTo("1");
    assertThat(job.at("/summary/usage/total_tokens")).isEqualTo("18");
    JsonNode file = job.json().path("outputs").path(0);
    assertThat(file.path("media_type").asString()).isEqualTo("text/plain");
    assertThat(client.get(file.path("url").asString()).expect(200).text()).startsWith("Run.\n\nxx");
    assertThat(service.asked().getLast().body()).contains("advertising copy");
  }

  @Test
  void a_list_of_items_is_made_by_the_model_and_each_is_a_draft() {
    service.on(
        OpenAiDouble.CHAT, Replies.streamed("{\"items\":[{\"name\":\"A\"},", "{\"name\":\"B\"}]}"));
    String wish = "\"prompt\":\"two parks\",\"count\":2";
    String id = client.asked("processes/ai-location-import-generate", wish);
    Answer job = client.awaitJob(id, "waiting_review");
    assertThat(job.at("/summary/items")).isEqualTo("2");
    assertThat(job.at("/summary/made_by")).isEqualTo("model");
    assertThat(client.get("/api/jobs/" + id + "/items").at("/items/1/name"))
        .isEqualTo("item-002.json");
    assertThat(service.asked().getLast().body()).contains("Make 2 items.").contains("json_object");
    client.post("/api/jobs/" + id + "/cancel", "").expect(200);

    service.on(OpenAiDouble.CHAT, Replies.streamed("{\"items\":[\"prose\"]}"));
    String vain = client.asked("processes/ai-location-import-generate", wish);
    assertThat(client.awaitJob(vain, "dead_letter").at("/error/code")).isEqualTo("bad_answer");
  }

  @Test
  void what_is_written_shows_as_progress_without_its_words() {
    CountDownLatch gate = new CountDownLatch(1);
    service.on(OpenAiDouble.CHAT, Replies.gated(gate, "x".repeat(60)));
    String id = client.asked("copy", "\"prompt\":\"a shoe\"");

    await().until(() -> client.get("/api/jobs/" + id + "/events").text().contains("writing"));
    gate.countDown();
    client.awaitJob(id, "completed");

    assertThat(client.get("/api/jobs/" + id + "/events").text())
        .contains("60 characters so far")
        .doesNotContain("xxx");
  }

  @Test
  void only_the_texts_that_came_are_paid_for() {
    service.on(
        OpenAiDouble.CHAT,
        Replies.events(
            Replies.delta(0, "fine"),
            Replies.delta(1, "foul"),
            Replies.finish(0, "stop"),
            Replies.finish(1, "content_filter"),
            "[DONE]"));

    Answer job =
        client.awaitJob(
            client.asked("copy", "\"prompt\":\"a shoe\"", "\"variants\":2"), "completed");

    assertThat(job.json().path("credits").toString())
        .isEqualTo("{\"held\":2,\"captured\":1,\"refunded\":1}");
  }

  @Test
  void a_refusal_by_the_services_filter_rejects_the_job() {
    service.on(OpenAiDouble.CHAT, Replies.error(400, "content_policy_violation"));

    Answer job = client.awaitJob(client.asked("copy", "\"prompt\":\"a shoe\""), "rejected");

    assertThat(job.at("/error/message")).contains("content_policy_violation");
  }

  @Test
  void speech_is_delivered_as_a_recording() {
    service.on(OpenAiDouble.SPEECH, Replies.sound());

    Answer job = client.awaitJob(client.asked("tts", "\"text\":\"Hello\""), "completed");

    assertThat(job.at("/outputs/0/media_type")).isEqualTo("audio/mpeg");
  }

  @Test
  void a_page_is_read_where_the_operator_allows_it() {
    site.on(
        "/page", Replies.body(200, "text/html; charset=utf-8", "<title>Shoe</title><p>Runs fast."));

    Answer job =
        client.awaitJob(client.asked("scrape", "\"url\":\"" + site.url() + "/page\""), "completed");

    assertThat(job.at("/summary/title")).isEqualTo("Shoe");
    Answer page = client.get(job.at("/outputs/0/url")).expect(200);
    assertThat(page.at("/text")).isEqualTo("Runs fast.");
  }

  @Test
  void a_page_inside_the_house_is_refused_and_refunded() {
    for (String url :
        new String[] {
          "http://127.0.0.1:1/",
          "http://169.254.169.254/latest/meta-data/",
          "http://2130706433/",
          "http://[::ffff:10.0.0.1]/"
        }) {
      Answer job = client.awaitJob(client.asked("scrape", "\"url\":\"" + url + "\""), "failed");

      assertThat(job.at("/error/message")).startsWith("The URL can't be fetched:");
      assertThat(job.at("/credits/refunded")).isEqualTo("1");
    }
  }

  @Test
  void the_services_key_is_in_no_table() {
    assertThat(rig.ask("select count(*) from job_event where message like '%" + KEY + "%'"))
        .isEqualTo("0");
    assertThat(client.get("/api/effects/copy").expect(200).text())
        .doesNotContain(KEY)
        .doesNotContain("advertising copy");
  }
}
