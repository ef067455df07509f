package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.OutsideRig;
import dev.millrace.testkit.outside.Answered;
import dev.millrace.testkit.outside.Trouble;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.JsonNodeFactory;

/** Nobody knows whether a service took a job: it is asked, and nothing is bought twice. */
class UnconfirmedApiPgTest {

  @TempDir Path folder;
  private OutsideRig rig;

  @BeforeEach
  void start() {
    rig = OutsideRig.start(folder, "PROVIDER_SLOTS=1", "CALLBACK_DEADLINE_SECONDS=3600");
  }

  @AfterEach
  void stop() {
    rig.rig().examine();
    rig.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {500, 502, 503, 504})
  void an_error_of_the_service_is_no_refusal_and_the_job_leaves_its_slot(int status) {
    rig.replicate().refuseNextSubmit(Answered.json(status, "{}"));
    String unsure = unconfirmed();
    String other = rig.submitted();
    String reference = rig.reference(1);
    rig.replicate().succeed(reference, OutsideRig.picture());
    rig.client().awaitJob(other, "completed");
    assertThat(state(unsure)).as("it waits without the only slot").isEqualTo("submitted");
    assertThat(rig.client().get("/api/jobs/" + unsure + "/why").expect(200).at("/cause"))
        .isEqualTo("provider_unconfirmed");
    assertThat(attempts(unsure)).as("nothing is sent again meanwhile").isEqualTo("1");

    rig.settle(Duration.ZERO);
    String again = rig.reference(2);
    await().until(() -> attempts(unsure).equals("2") && state(unsure).equals("submitted"));
    // A claim on the first attempt would keep everybody from asking about the second for a minute.
    await().atMost(Duration.ofSeconds(20)).until(() -> rig.rig().ask(asking(unsure)).equals("0"));
    rig.replicate().succeed(again, OutsideRig.picture());
    Answer job = rig.client().awaitJob(unsure, "completed");
    assertThat(job.at("/attempt")).as("sending it again is another try").isEqualTo("2");
    assertThat(rig.replicate().acceptedPerIntent().values()).containsOnly(1);
    assertThat(rig.replicate().bill()).isEqualTo(2);
  }

  @Test
  void work_that_was_taken_behind_an_error_and_is_listed_late_is_bought_once() {
    rig.replicate().hideNewWork();
    rig.replicate().takeNextSubmitAndAnswer(Answered.json(500, "{}"));
    String id = unconfirmed();
    int looks = questions();
    askNow();
    await().until(() -> questions() > looks);
    awaitQuiet(id);
    assertThat(state(id)).as("not there yet means nothing").isEqualTo("submitted");
    rig.replicate().listAll();
    askNow();
    await().until(() -> rig.rig().ask("select count(reference) from attempt").equals("1"));
    rig.replicate().succeed(rig.reference(1), OutsideRig.picture());
    assertThat(rig.client().awaitJob(id, "completed").at("/attempt")).isEqualTo("1");
    assertThat(rig.replicate().bill()).isEqualTo(1);
  }

  @Test
  void lost_submits_to_a_service_that_can_not_be_asked_hold_no_slot_and_are_never_sent_again() {
    rig.fal().onSubmit(Trouble.CUT_BEFORE);
    rig.fal().onSubmit(Trouble.CUT_AFTER);
    String nothing = clip();
    rig.client().awaitJob(nothing, "submitted");
    String taken = clip();
    rig.client().awaitJob(taken, "submitted");
    String third = clip();
    await().until(() -> rig.fal().bill() == 2);
    var done = JsonNodeFactory.instance.objectNode().put("text", "done");
    rig.fal().succeed(rig.fal().references().getLast(), done);
    rig.client().awaitJob(third, "completed");
    rig.fal().succeed(rig.fal().references().getFirst(), done);
    rig.client().awaitJob(taken, "completed");
    rig.settle(Duration.ZERO);
    awaitQuiet(nothing);
    assertThat(state(nothing)).isEqualTo("submitted");
    assertThat(rig.fal().bill()).isEqualTo(2);
    rig.client().post("/api/jobs/" + nothing + "/cancel", "").expect(200);
  }

  @Test
  void a_job_that_is_canceled_while_nobody_knows_is_refunded_when_it_is_known() {
    rig.replicate().refuseNextSubmit(Answered.json(500, "{}"));
    String id = unconfirmed();
    rig.client().post("/api/jobs/" + id + "/cancel", "").expect(200);
    rig.settle(Duration.ZERO);
    rig.client().awaitJob(id, "canceled");
    assertThat(rig.replicate().bill()).isZero();
  }

  @Test
  void an_id_that_the_service_gives_twice_does_not_mix_up_two_jobs() {
    String first = rig.submitted();
    String reference = rig.reference(1);
    rig.client().awaitJob(first, "submitted");
    rig.replicate()
        .refuseNextSubmit(Answered.json(201, OutsideRig.news(reference, "starting").strip()));
    String second = rig.submitted();
    assertThat(rig.client().awaitJob(second, "failed").at("/error/message"))
        .isEqualTo("The provider answered with the id of other work.");
    rig.replicate().succeed(reference, OutsideRig.picture());
    assertThat(rig.client().awaitJob(first, "completed").at("/attempt")).isEqualTo("1");
    assertThat(rig.replicate().bill()).isEqualTo(1);
  }

  @Test
  void a_result_waits_for_the_object_store_and_is_not_made_again() throws IOException {
    String id = rig.submitted();
    String reference = rig.reference(1);
    rig.client().awaitJob(id, "submitted");
    Path objects = folder.resolve("data/objects");
    Path aside = folder.resolve("data/aside");
    Files.move(objects, aside);
    Files.writeString(objects, "no folder");
    rig.replicate().succeed(reference, OutsideRig.picture());
    String drawn = rig.client().asked("sketch/draft", "\"prompt\":\"a fox\"");
    rig.client().awaitJob(drawn, "running");
    int looks = questions();
    askNow();
    await().until(() -> questions() > looks);
    awaitQuiet(id);
    assertThat(state(id)).isEqualTo("submitted");
    assertThat(state(drawn)).isEqualTo("running");
    Files.delete(objects);
    Files.move(aside, objects);
    askNow();
    assertThat(rig.client().awaitJob(id, "completed").at("/attempt")).isEqualTo("1");
    assertThat(rig.client().awaitJob(drawn, "completed").at("/attempt")).isEqualTo("1");
    assertThat(rig.replicate().bill()).isEqualTo(1);
  }

  private String clip() {
    return rig.client().asked("clip", "\"prompt\":\"a cat\"");
  }

  private String unconfirmed() {
    String id = rig.submitted();
    rig.client().awaitJob(id, "submitted");
    assertThat(rig.rig().ask("select count(unconfirmed_at) from attempt")).isEqualTo("1");
    return id;
  }

  private String state(String id) {
    return rig.client().job(id).at("/state");
  }

  private String attempts(String id) {
    return rig.rig().ask("select count(*) from attempt where job_id = '" + id + "'");
  }

  /** How often the service was asked for anything but work. */
  private int questions() {
    return (int) rig.replicate().asked().stream().filter(a -> a.method().equals("GET")).count();
  }

  /** Has whatever is out asked about at once. */
  private void askNow() {
    rig.rig().database().execute("update dispatch set ask_at = clock_timestamp()");
  }

  /** Until nobody asks about the job. */
  private void awaitQuiet(String id) {
    await().until(() -> rig.rig().ask(asking(id)).equals("0"));
  }

  private static String asking(String id) {
    return "select count(*) from dispatch where asking_until is not null and job_id = '" + id + "'";
  }
}
