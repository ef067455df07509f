package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.OutsideRig;
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
  private static OutsideRig rig;
  private int before;

  @BeforeAll
  static void start() {
    rig = OutsideRig.start(folder, "CALLBACK_DEADLINE_SECONDS=600");
  }

  @AfterAll
  static void stop() {
    rig.rig().examine();
    rig.close();
  }

  @BeforeEach
  void forget() {
    rig.replicate().sends(Webhooks.ONCE);
    before = rig.replicate().bill();
    rig.rig().database().execute("delete from inbox");
  }

  /** The reference of this test's work, as soon as there is any. */
  private String reference() {
    return rig.reference(before + 1);
  }

  private int bought() {
    return rig.replicate().bill() - before;
  }

  private void succeed(String reference) {
    rig.replicate().succeed(reference, OutsideRig.picture());
  }

  /**
   * Until the service has the job and nobody asks about it of his own accord: one who does could
   * find the result before the webhook comes, which then is late.
   */
  private static void awaitRest(String id) {
    rig.client().awaitJob(id, "submitted");
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
    await().until(() -> rig.rig().ask(asked).equals("1"));
  }

  @Test
  void a_webhook_brings_the_result_home() {
    long before = rig.client().balance();
    String id = rig.submitted();
    awaitRest(id);
    succeed(reference());
    Answer job = rig.client().awaitJob(id, "completed");
    assertThat(job.at("/outputs/0/media_type")).isEqualTo("text/plain");
    assertThat(job.at("/summary/usage/predict_time")).isEqualTo("2.4");
    assertThat(rig.client().balance()).isEqualTo(before - 3);
    assertThat(rig.inbox()).containsExactly("applied x1");
    assertThat(bought()).isEqualTo(1);
    assertThat(job.text()).doesNotContain(reference());
    Answer receipt = rig.client().get("/api/jobs/" + id + "/receipt").expect(200);
    assertThat(receipt.at("/provider_reference")).isEqualTo(reference().substring(0, 6) + "…");
    assertThat(receipt.at("/attempts/0/provider")).isEqualTo("replicate");
    assertThat(receipt.at("/usage/predict_time")).isEqualTo("2.4");
  }

  @Test
  void a_webhook_before_the_answer_waits_and_is_applied() {
    rig.replicate().sends(Webhooks.EARLY);
    String id = rig.submitted();
    // Its usual output lies at an address that can't be had here.
    reference();
    await().until(() -> rig.inbox().size() == 1 && state(id).equals("submitted"));
    succeed(reference());
    rig.client().awaitJob(id, "completed");
    assertThat(bought()).isEqualTo(1);
    await().until(() -> !rig.inbox().contains("waiting x1"));
  }

  private String state(String id) {
    return rig.client().job(id).at("/state");
  }

  @Test
  void a_submit_whose_answer_is_lost_is_found_and_not_sent_again() {
    rig.replicate().onSubmit(Trouble.CUT_AFTER);
    String id = rig.submitted();
    rig.client().awaitJob(id, "submitted");
    succeed(reference());
    rig.client().awaitJob(id, "completed");
    assertThat(bought()).isEqualTo(1);
  }

  @Test
  void a_hundred_webhooks_are_one() {
    String id = rig.submitted();
    awaitRest(id);
    String reference = reference();
    rig.replicate().sends(Webhooks.NEVER);
    succeed(reference);
    String body = OutsideRig.news(reference, "succeeded");
    for (int i = 0; i < 100; i++) {
      assertThat(rig.call("msg_same", Instant.now(), body)).isEqualTo(200);
    }
    rig.client().awaitJob(id, "completed");
    assertThat(rig.inbox()).containsExactly("applied x100");
    assertThat(
            rig.rig()
                .ask(
                    "select count(*) from ledger where type = 'job_consume' and job_id = '%s'"
                        .formatted(id)))
        .isEqualTo("1");
  }

  @Test
  void what_nobody_signed_lately_is_refused_and_leaves_no_trace() {
    String id = rig.submitted();
    rig.client().awaitJob(id, "submitted");
    String body = OutsideRig.news(reference(), "succeeded");
    Instant now = Instant.now();
    String second = String.valueOf(now.getEpochSecond());
    assertThat(rig.call("e1", second, "v1,AAAA", body)).isEqualTo(401);
    assertThat(rig.call("e2", second, "", body)).isEqualTo(401);
    assertThat(rig.call("e3", now.minusSeconds(3600), body)).isEqualTo(401);
    assertThat(rig.call("e4", now.plusSeconds(3600), body)).isEqualTo(401);
    assertThat(rig.call("e5", now, "{\"id\": nonsense")).isEqualTo(400);
    assertThat(rig.call("e6", now, "x".repeat(9 << 20))).isEqualTo(413);
    assertThat(rig.inbox()).isEmpty();
    assertThat(state(id)).isEqualTo("submitted");
  }

  @Test
  void a_call_about_work_that_nobody_knows_is_recorded() {
    String body = OutsideRig.news("gm3qorzdhgbfurvjtvhg6dc999", "succeeded");
    assertThat(rig.call("stranger", Instant.now(), body)).isEqualTo(200);
    assertThat(rig.call("stranger", Instant.now(), body)).isEqualTo(200);
    assertThat(rig.inbox()).containsExactly("waiting x2");
  }

  @Test
  void a_cancel_stops_the_work_there_and_gives_the_credits_back() {
    long before = rig.client().balance();
    String id = rig.submitted();
    rig.client().awaitJob(id, "submitted");
    rig.client().post("/api/jobs/" + id + "/cancel", "").expect(200);
    rig.client().awaitJob(id, "canceled");
    assertThat(rig.client().balance()).isEqualTo(before);
    assertThat(rig.replicate().stage(reference())).isEqualTo(OutsideTask.Stage.CANCELED);
  }

  @Test
  void a_result_is_collected_after_a_restart() {
    String id = rig.submitted();
    rig.client().awaitJob(id, "submitted");
    rig.rig().stop();
    rig.replicate().sends(Webhooks.NEVER);
    succeed(reference());
    rig.restart();
    // What was to be asked in half a minute is asked now.
    assertThat(rig.call("after", Instant.now(), OutsideRig.news(reference(), "succeeded")))
        .isEqualTo(200);
    rig.client().awaitJob(id, "completed");
    assertThat(bought()).isEqualTo(1);
  }

  @Test
  void a_safety_filter_and_a_bad_input_end_the_job_for_good() {
    String unsafe = rig.submitted();
    rig.client().awaitJob(unsafe, "submitted");
    rig.replicate().refuse(reference());
    assertThat(rig.client().awaitJob(unsafe, "rejected").at("/error/code")).isEqualTo("safety");
    rig.replicate().onSubmit(Trouble.INVALID);
    String bad = rig.submitted();
    Answer failed = rig.client().awaitJob(bad, "failed");
    assertThat(failed.at("/error/message")).contains("input.prompt");
    assertThat(bought()).isEqualTo(1);
  }

  @Test
  void garbage_in_answer_to_a_submit_is_no_reason_to_send_it_again() {
    rig.replicate().onSubmit(Trouble.GARBAGE);
    String id = rig.submitted();
    rig.client().awaitJob(id, "submitted");
    rig.replicate().onQuestion(Trouble.GARBAGE);
    succeed(reference());
    rig.client().awaitJob(id, "completed");
    assertThat(bought()).isEqualTo(1);
  }

  /** Its queue can't be searched, so only the webhook can tell that the work is there. */
  @Test
  void a_webhook_finds_the_job_whose_service_can_not_be_asked() {
    rig.fal().onSubmit(Trouble.CUT_AFTER);
    String id = rig.client().asked("clip", "\"prompt\":\"a cat\"");
    String reference =
        await().until(() -> rig.fal().references(), all -> all.size() == 1).getFirst();
    rig.client().awaitJob(id, "submitted");
    rig.fal().succeed(reference, JsonNodeFactory.instance.objectNode().put("text", "done"));
    Answer job = rig.client().awaitJob(id, "completed");
    assertThat(job.at("/attempt")).isEqualTo("1");
    assertThat(rig.fal().bill()).isEqualTo(1);
    assertThat(rig.inbox()).containsExactly("applied x1");
  }

  @Test
  void a_service_gets_an_address_for_a_file() throws Exception {
    String first = rig.submitted();
    succeed(reference());
    String file = rig.client().awaitJob(first, "completed").at("/outputs/0/id");
    String id = rig.client().asked("poster", "\"prompt\":\"again\"", "\"photo\":\"" + file + "\"");
    succeed(rig.reference(before + 2));
    rig.client().awaitJob(id, "completed");
    String sent =
        rig.replicate().asked().stream()
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
