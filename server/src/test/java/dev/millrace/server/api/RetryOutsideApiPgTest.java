package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.OutsideRig;
import dev.millrace.testkit.outside.Answered;
import dev.millrace.testkit.outside.OutsideTask;
import dev.millrace.testkit.outside.Trouble;
import dev.millrace.testkit.outside.Webhooks;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that are tried again while a service may still have what was ordered before. */
class RetryOutsideApiPgTest {

  @TempDir Path folder;
  private OutsideRig rig;

  @BeforeEach
  void start() {
    rig = OutsideRig.start(folder, "CALLBACK_DEADLINE_SECONDS=3600");
  }

  @AfterEach
  void stop() {
    rig.rig().examine();
    rig.close();
  }

  @Test
  void work_that_still_runs_is_waited_for_and_not_ordered_again() {
    long before = rig.client().balance();
    String id = expired();
    String reference = rig.reference(1);
    rig.replicate().run(reference, 40);
    retried(id);
    rig.client().awaitJob(id, "submitted");
    await().until(() -> rig.client().job(id).at("/progress").equals("40"));
    assertThat(rig.replicate().bill()).isEqualTo(1);
    rig.replicate().succeed(reference, OutsideRig.picture());
    assertThat(rig.client().awaitJob(id, "completed").at("/attempt")).isEqualTo("2");
    assertThat(rig.replicate().bill()).isEqualTo(1);
    assertThat(rig.client().balance()).isEqualTo(before - 3);
    await().until(() -> !rig.inbox().contains("waiting x1"));
  }

  @Test
  void a_result_of_which_nobody_heard_is_fetched_and_not_made_again() {
    String id = expired();
    rig.replicate().sends(Webhooks.NEVER);
    rig.replicate().succeed(rig.reference(1), OutsideRig.picture());
    retried(id);
    rig.client().awaitJob(id, "completed");
    assertThat(rig.replicate().bill()).isEqualTo(1);
  }

  @Test
  void a_result_that_came_too_late_is_used_and_not_made_again() {
    String id = expired();
    rig.replicate().succeed(rig.reference(1), OutsideRig.picture());
    await().until(() -> rig.rig().ask("select count(*) from late_result").equals("1"));
    retried(id);
    rig.client().awaitJob(id, "completed");
    assertThat(rig.replicate().bill()).isEqualTo(1);
  }

  @Test
  void only_work_that_is_known_to_have_failed_is_ordered_again() {
    String id = expired();
    rig.replicate().sends(Webhooks.NEVER);
    rig.replicate().fail(rig.reference(1), "out of memory");
    retried(id);
    rig.replicate().succeed(rig.reference(2), OutsideRig.picture());
    rig.askNow();
    rig.client().awaitJob(id, "completed");
    assertThat(rig.replicate().bill()).isEqualTo(2);
  }

  @Test
  void work_that_fails_while_it_is_waited_for_again_is_ordered_again() {
    String id = expired();
    retried(id);
    rig.client().awaitJob(id, "submitted");
    rig.replicate().fail(rig.reference(1), "out of memory");
    rig.replicate().succeed(rig.reference(2), OutsideRig.picture());
    rig.askNow();
    assertThat(rig.client().awaitJob(id, "completed").at("/attempt")).isEqualTo("3");
    assertThat(rig.replicate().bill()).isEqualTo(2);
  }

  @Test
  void a_cancel_while_work_is_waited_for_again_stops_it_there() {
    long before = rig.client().balance();
    String id = expired();
    retried(id);
    rig.client().awaitJob(id, "submitted");
    rig.client().post("/api/jobs/" + id + "/cancel", "").expect(200);
    rig.client().awaitJob(id, "canceled");
    assertThat(rig.replicate().stage(rig.reference(1))).isEqualTo(OutsideTask.Stage.CANCELED);
    assertThat(rig.client().balance()).isEqualTo(before);
  }

  @Test
  void one_answer_that_work_is_not_known_is_not_believed() {
    String id = rig.submitted();
    rig.client().awaitJob(id, "submitted");
    String reference = rig.reference(1);
    rig.age();
    int looks = rig.replicate().asked().size();
    rig.replicate().answerNextQuestion(Answered.json(404, "{\"detail\":\"not found\"}"));
    rig.askNow();
    await().until(() -> rig.replicate().asked().size() > looks);
    await().until(() -> asking(id).equals("0"));
    assertThat(rig.client().job(id).at("/state")).isEqualTo("submitted");
    rig.replicate().succeed(reference, OutsideRig.picture());
    assertThat(rig.client().awaitJob(id, "completed").at("/attempt")).isEqualTo("1");
    assertThat(rig.replicate().bill()).isEqualTo(1);
  }

  @Test
  void a_retry_that_could_never_be_sent_is_refused_and_says_what_can_be_done() {
    rig.fal().sends(Webhooks.NEVER);
    rig.fal().onSubmit(Trouble.CUT_AFTER);
    String id = rig.client().asked("clip", "\"prompt\":\"a cat\"");
    rig.client().awaitJob(id, "submitted");
    rig.expire("id = '" + id + "'");
    rig.client().awaitJob(id, "expired");
    assertThat(
            rig.client()
                .post("/api/admin/jobs/" + id + "/retry", "")
                .problem(409, "perhaps_bought")
                .at("/detail"))
        .contains("can't be asked", "/api/jobs/" + id + "/retry");
    assertThat(rig.client().job(id).at("/state")).isEqualTo("expired");

    rig.client().post("/api/jobs/" + id + "/retry", "").expect(201);
    await().until(() -> rig.fal().bill() == 2);
  }

  /** A job whose deadline came while a service had it. */
  private String expired() {
    String id = rig.submitted();
    rig.reference(1);
    rig.client().awaitJob(id, "submitted");
    rig.expire("id = '" + id + "'");
    rig.client().awaitJob(id, "expired");
    return id;
  }

  private void retried(String id) {
    rig.client().post("/api/admin/jobs/" + id + "/retry", "").expect(200);
  }

  private String asking(String id) {
    return rig.rig()
        .ask(
            "select count(*) from dispatch where asking_until is not null and job_id = '"
                + id
                + "'");
  }
}
