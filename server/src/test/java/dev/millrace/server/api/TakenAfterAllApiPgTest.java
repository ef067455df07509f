package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.OutsideRig;
import dev.millrace.testkit.outside.Answered;
import dev.millrace.testkit.outside.Webhooks;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service said that it had not taken a job's work, and had: nothing more is ordered for it. */
class TakenAfterAllApiPgTest {

  private static final Answered BROKEN = Answered.json(500, "{}");

  @TempDir Path folder;
  private OutsideRig rig;

  @BeforeEach
  void start() {
    rig = OutsideRig.start(folder, "MAX_FAILURES=3", "CALLBACK_DEADLINE_SECONDS=3600");
  }

  @AfterEach
  void stop() {
    rig.rig().examine();
    rig.close();
  }

  @Test
  void work_that_is_listed_after_it_was_judged_not_taken_is_used_and_nothing_more_is_sent() {
    rig.replicate().sends(Webhooks.NEVER);
    String id = judgedNotTaken();
    rig.replicate().listAll();
    rig.settle(Duration.ZERO);
    await().until(() -> rig.rig().ask("select count(reference) from attempt").equals("1"));
    rig.replicate().succeed(rig.reference(1), OutsideRig.picture());
    rig.askNow();
    assertThat(rig.client().awaitJob(id, "completed").at("/attempt")).isEqualTo("2");
    assertThat(rig.replicate().bill()).isEqualTo(1);
    assertThat(submits()).isEqualTo(2);
  }

  @Test
  void a_retry_in_place_uses_work_that_is_listed_after_the_job_was_given_up() {
    rig.replicate().sends(Webhooks.NEVER);
    long before = rig.client().balance();
    String id = givenUp();
    assertThat(rig.client().balance()).isEqualTo(before);
    rig.replicate().listAll();
    rig.replicate().succeed(rig.reference(1), OutsideRig.picture());
    rig.client().post("/api/admin/jobs/" + id + "/retry", "").expect(200);
    rig.client().awaitJob(id, "completed");
    assertThat(rig.replicate().bill()).isEqualTo(1);
    assertThat(submits()).isEqualTo(3);
    assertThat(rig.client().balance()).isEqualTo(before - 3);
  }

  @Test
  void a_callback_that_names_an_attempt_that_was_judged_not_taken_brings_the_job_its_result() {
    String id = judgedNotTaken();
    rig.replicate().succeed(rig.reference(1), OutsideRig.picture());
    assertThat(rig.client().awaitJob(id, "completed").at("/attempt")).isEqualTo("2");
    assertThat(rig.replicate().bill()).isEqualTo(1);
    assertThat(submits()).isEqualTo(2);
    await().until(() -> rig.inbox().contains("applied x1"));
  }

  @Test
  void such_a_callback_after_the_job_was_given_up_leaves_a_result_that_can_be_adopted() {
    long before = rig.client().balance();
    String id = givenUp();
    rig.replicate().succeed(rig.reference(1), OutsideRig.picture());
    await().until(() -> rig.inbox().contains("late x1"));
    Answer providers = rig.client().get("/api/admin/providers").expect(200);
    assertThat(providers.at("/late_results/0/job_id")).isEqualTo(id);
    assertThat(rig.client().balance()).isEqualTo(before);
    rig.client().post("/api/admin/jobs/" + id + "/adopt", "").expect(200);
    rig.client().awaitJob(id, "completed");
    assertThat(rig.replicate().bill()).isEqualTo(1);
    assertThat(rig.client().balance()).isEqualTo(before - 3);
  }

  @Test
  void a_late_callback_whose_service_does_not_answer_waits_and_its_result_is_not_lost() {
    String id = givenUp();
    for (int i = 0; i < 2; i++) {
      rig.replicate().answerNextQuestion(BROKEN);
    }
    rig.replicate().succeed(rig.reference(1), OutsideRig.picture());
    await().until(() -> rig.inbox().contains("late x1"));
    rig.client().post("/api/admin/jobs/" + id + "/adopt", "").expect(200);
    rig.client().awaitJob(id, "completed");
    assertThat(rig.replicate().bill()).isEqualTo(1);
  }

  @Test
  void a_callback_about_earlier_work_waits_while_other_work_is_out_and_is_used_when_that_fails() {
    String id = judgedNotTakenAndSentAgain();
    rig.replicate().succeed(rig.reference(1), OutsideRig.picture());
    assertThat(rig.client().job(id).at("/state")).isEqualTo("submitted");
    rig.replicate()
        .fail(rig.reference(2), "Director: unexpected error handling prediction (E6716)");
    assertThat(rig.client().awaitJob(id, "completed").at("/attempt")).isEqualTo("3");
    assertThat(rig.replicate().bill()).isEqualTo(2);
    assertThat(submits()).isEqualTo(2);
  }

  @Test
  void a_result_beside_another_that_failed_for_good_is_kept_apart() {
    String id = judgedNotTakenAndSentAgain();
    rig.replicate().succeed(rig.reference(1), OutsideRig.picture());
    rig.replicate().fail(rig.reference(2), "the prompt is too long");
    rig.client().awaitJob(id, "failed");
    await().until(() -> rig.inbox().contains("late x1"));
    rig.client().post("/api/admin/jobs/" + id + "/adopt", "").expect(200);
    rig.client().awaitJob(id, "completed");
    assertThat(rig.replicate().bill()).isEqualTo(2);
  }

  @Test
  void a_second_result_of_a_completed_job_is_judged_late_and_not_kept() {
    String id = judgedNotTakenAndSentAgain();
    rig.replicate().succeed(rig.reference(2), OutsideRig.picture());
    rig.client().awaitJob(id, "completed");
    rig.replicate().succeed(rig.reference(1), OutsideRig.picture());
    await().until(() -> rig.inbox().contains("late x1"));
    assertThat(rig.rig().ask("select count(*) from late_result")).isEqualTo("0");
  }

  /** Its first work was taken, and is in no list; its second was not, and nobody knows yet. */
  private String judgedNotTaken() {
    rig.replicate().hideNewWork();
    rig.replicate().takeNextSubmitAndAnswer(BROKEN);
    rig.replicate().refuseNextSubmit(BROKEN);
    String id = rig.submitted();
    rig.client().awaitJob(id, "submitted");
    rig.settle(Duration.ZERO);
    awaitUnconfirmed(id, 2);
    return id;
  }

  private String judgedNotTakenAndSentAgain() {
    rig.replicate().hideNewWork();
    rig.replicate().takeNextSubmitAndAnswer(BROKEN);
    String id = rig.submitted();
    rig.client().awaitJob(id, "submitted");
    rig.settle(Duration.ZERO);
    rig.reference(2);
    await()
        .until(() ->
            rig.rig()
                .ask("select count(*) from attempt where number = 2 and reference is not null")
                .equals("1"));
    return id;
  }

  /** All three tries are over, and the first was taken after all. */
  private String givenUp() {
    String id = judgedNotTaken();
    rig.replicate().refuseNextSubmit(BROKEN);
    rig.settle(Duration.ZERO);
    awaitUnconfirmed(id, 3);
    rig.settle(Duration.ZERO);
    rig.client().awaitJob(id, "dead_letter");
    return id;
  }

  private void awaitUnconfirmed(String id, int attempt) {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() ->
            rig.rig()
                .ask(
                    "select count(*) from attempt where unconfirmed_at is not null and number = "
                        + attempt
                        + " and job_id = '"
                        + id
                        + "'")
                .equals("1"));
  }

  private long submits() {
    return rig.replicate().asked().stream()
        .filter(asked -> asked.method().equals("POST") && asked.path().endsWith("/predictions"))
        .count();
  }
}
