package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.testkit.outside.OutsideTask;
import dev.millrace.testkit.outside.Trouble;
import dev.millrace.testkit.outside.Webhooks;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/** Jobs that an outside service takes, with all that can happen on the way. */
class OutsideProviderApiPgTest {

  @TempDir static Path folder;
  private static OutsideMill mill;
  private int before;

  @BeforeAll
  static void start() {
    mill = OutsideMill.start(folder, "CALLBACK_DEADLINE_SECONDS=600");
  }

  @AfterAll
  static void stop() {
    mill.mill().examine();
    mill.close();
  }

  @BeforeEach
  void forget() {
    mill.replicate().sends(Webhooks.ONCE);
    before = mill.replicate().bill();
    mill.mill().database().execute("delete from inbox");
  }

  /** The reference of this test's work, as soon as there is any. */
  private String reference() {
    return mill.reference(before + 1);
  }

  private int bought() {
    return mill.replicate().bill() - before;
  }

  private void succeed(String reference) {
    mill.replicate().succeed(reference, OutsideMill.picture());
  }

  /**
   * Until the service has the job and nobody asks about it of his own accord: one who does could
   * find the result before the webhook comes, which then is late.
   */
  private static void awaitRest(String id) {
    mill.client().awaitJob(id, "submitted");
    String asked =
        """
        select count(*)
        from dispatch
        where job_id = '%s'
          and asking_until is null
          and ask_at > clock_timestamp() + interval '10 s'
          and ask_at < 'infinity'
        """
            .formatted(id);
    await().until(() -> mill.mill().ask(asked).equals("1"));
  }

  @Test
  void a_webhook_brings_the_result_home() {
    long before = mill.client().balance();
    String id = mill.submitted();
    awaitRest(id);
    succeed(reference());
    Answer job = mill.client().awaitJob(id, "completed");
    assertThat(job.at("/outputs/0/media_type")).isEqualTo("text/plain");
    assertThat(job.at("/summary/usage/predict_time")).isEqualTo("2.4");
    assertThat(mill.client().balance()).isEqualTo(before - 3);
    assertThat(mill.inbox()).containsExactly("applied x1");
    assertThat(bought()).isEqualTo(1);
    assertThat(job.text()).doesNotContain(reference());
    Answer receipt = mill.client().get("/api/jobs/" + id + "/receipt").expect(200);
    assertThat(receipt.at("/provider_reference")).isEqualTo(reference().substring(0, 6) + "…");
    assertThat(receipt.at("/attempts/0/provider")).isEqualTo("replicate");
    assertThat(receipt.at("/usage/predict_time")).isEqualTo("2.4");
  }

  @Test
  void a_webhook_before_the_answer_waits_and_is_applied() {
    mill.replicate().sends(Webhooks.EARLY);
    String id = mill.submitted();
    // Its usual output lies at an address that can't be had here.
    reference();
    await().until(() -> mill.inbox().size() == 1 && state(id).equals("submitted"));
    succeed(reference());
    mill.client().awaitJob(id, "completed");
    assertThat(bought()).isEqualTo(1);
    await().until(() -> !mill.inbox().contains("waiting x1"));
  }

  private String state(String id) {
    return mill.client().job(id).at("/state");
  }

  @Test
  void a_submit_whose_answer_is_lost_is_found_and_not_sent_again() {
    mill.replicate().onSubmit(Trouble.CUT_AFTER);
    String id = mill.submitted();
    mill.client().awaitJob(id, "submitted");
    succeed(reference());
    mill.client().awaitJob(id, "completed");
    assertThat(bought()).isEqualTo(1);
  }

  @Test
  void a_hundred_webhooks_are_one() {
    String id = mill.submitted();
    awaitRest(id);
    String reference = reference();
    mill.replicate().sends(Webhooks.NEVER);
    succeed(reference);
    String body = OutsideMill.news(reference, "succeeded");
    for (int i = 0; i < 100; i++) {
      assertThat(mill.call("msg_same", Instant.now(), body)).isEqualTo(200);
    }
    mill.client().awaitJob(id, "completed");
    assertThat(mill.inbox()).containsExactly("applied x100");
    assertThat(
            mill.mill()
                .ask(
                    "select count(*) from ledger where type = 'job_consume' and job_id = '%s'"
                        .formatted(id)))
        .isEqualTo("1");
  }

  @Test
  void what_nobody_signed_lately_is_refused_and_leaves_no_trace() {
    String id = mill.submitted();
    mill.client().awaitJob(id, "submitted");
    String body = OutsideMill.news(reference(), "succeeded");
    Instant now = Instant.now();
    String second = String.valueOf(now.getEpochSecond());
    assertThat(mill.call("e1", second, "v1,AAAA", body)).isEqualTo(401);
    assertThat(mill.call("e2", second, "", body)).isEqualTo(401);
    assertThat(mill.call("e3", now.minusSeconds(3600), body)).isEqualTo(401);
    assertThat(mill.call("e4", now.plusSeconds(3600), body)).isEqualTo(401);
    assertThat(mill.call("e5", now, "{\"id\": nonsense")).isEqualTo(400);
    assertThat(mill.call("e6", now, "x".repeat(9 << 20))).isEqualTo(413);
    assertThat(mill.inbox()).isEmpty();
    assertThat(state(id)).isEqualTo("submitted");
  }

  @Test
  void a_call_about_work_that_nobody_knows_is_recorded() {
    String body = OutsideMill.news("gm3qorzdhgbfurvjtvhg6dc999", "succeeded");
    assertThat(mill.call("stranger", Instant.now(), body)).isEqualTo(200);
    assertThat(mill.call("stranger", Instant.now(), body)).isEqualTo(200);
    assertThat(mill.inbox()).containsExactly("waiting x2");
  }

  @Test
  void a_cancel_stops_the_work_there_and_gives_the_credits_back() {
    long before = mill.client().balance();
    String id = mill.submitted();
    mill.client().awaitJob(id, "submitted");
    mill.client().post("/api/jobs/" + id + "/cancel", "").expect(200);
    mill.client().awaitJob(id, "canceled");
    assertThat(mill.client().balance()).isEqualTo(before);
    assertThat(mill.replicate().stage(reference())).isEqualTo(OutsideTask.Stage.CANCELED);
  }

  @Test
  void a_result_is_collected_after_a_restart() {
    String id = mill.submitted();
    mill.client().awaitJob(id, "submitted");
    mill.mill().stop();
    mill.replicate().sends(Webhooks.NEVER);
    succeed(reference());
    mill.restart();
    // What was to be asked in half a minute is asked now.
    assertThat(mill.call("after", Instant.now(), OutsideMill.news(reference(), "succeeded")))
        .isEqualTo(200);
    mill.client().awaitJob(id, "completed");
    assertThat(bought()).isEqualTo(1);
  }

  @Test
  void a_safety_filter_and_a_bad_input_end_the_job_for_good() {
    String unsafe = mill.submitted();
    mill.client().awaitJob(unsafe, "submitted");
    mill.replicate().refuse(reference());
    assertThat(mill.client().awaitJob(unsafe, "rejected").at("/error/code")).isEqualTo("safety");
    mill.replicate().onSubmit(Trouble.INVALID);
    String bad = mill.submitted();
    Answer failed = mill.client().awaitJob(bad, "failed");
    assertThat(failed.at("/error/message")).contains("input.prompt");
    assertThat(bought()).isEqualTo(1);
  }

  @Test
  void garbage_in_answer_to_a_submit_is_no_reason_to_send_it_again() {
    mill.replicate().onSubmit(Trouble.GARBAGE);
    String id = mill.submitted();
    mill.client().awaitJob(id, "submitted");
    mill.replicate().onQuestion(Trouble.GARBAGE);
    succeed(reference());
    mill.client().awaitJob(id, "completed");
    assertThat(bought()).isEqualTo(1);
  }

  /** Its queue can't be searched, so only the webhook can tell that the work is there. */
  @Test
  void a_webhook_finds_the_job_whose_service_can_not_be_asked() {
    mill.fal().onSubmit(Trouble.CUT_AFTER);
    String id = mill.client().asked("clip", "\"prompt\":\"a cat\"");
    String reference =
        await().until(() -> mill.fal().references(), all -> all.size() == 1).getFirst();
    mill.client().awaitJob(id, "submitted");
    mill.fal().succeed(reference, JsonNodeFactory.instance.objectNode().put("text", "done"));
    Answer job = mill.client().awaitJob(id, "completed");
    assertThat(job.at("/attempt")).isEqualTo("1");
    assertThat(mill.fal().bill()).isEqualTo(1);
    assertThat(mill.inbox()).containsExactly("applied x1");
  }

  @Test
  void a_service_gets_an_address_for_a_file() throws Exception {
    String first = mill.submitted();
    succeed(reference());
    String file = mill.client().awaitJob(first, "completed").at("/outputs/0/id");
    String id = mill.client().asked("poster", "\"prompt\":\"again\"", "\"photo\":\"" + file + "\"");
    succeed(mill.reference(before + 2));
    mill.client().awaitJob(id, "completed");
    String sent =
        mill.replicate().asked().stream()
            .filter(asked -> asked.method().equals("POST"))
            .map(asked -> JsonMapper.shared().readTree(asked.body()).at("/input/photo"))
            .filter(JsonNode::isString)
            .findFirst()
            .orElseThrow()
            .asString();
    try (InputStream in = URI.create(sent).toURL().openStream()) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("a picture");
    }
  }
}
