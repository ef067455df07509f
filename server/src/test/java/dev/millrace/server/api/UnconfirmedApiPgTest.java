package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
  private OutsideMill mill;

  @BeforeEach
  void start() {
    mill = OutsideMill.start(folder, "PROVIDER_SLOTS=1", "CALLBACK_DEADLINE_SECONDS=3600");
  }

  @AfterEach
  void stop() {
    mill.mill().examine();
    mill.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {500, 502, 503, 504})
  void an_error_of_the_service_is_no_refusal_and_the_job_leaves_its_slot(int status) {
    mill.replicate().refuseNextSubmit(Answered.json(status, "{}"));
    String unsure = unconfirmed();
    String other = mill.submitted();
    String reference = mill.reference(1);
    mill.replicate().succeed(reference, OutsideMill.picture());
    mill.client().awaitJob(other, "completed");
    assertThat(state(unsure)).as("it waits without the only slot").isEqualTo("submitted");
    assertThat(mill.client().get("/api/jobs/" + unsure + "/why").expect(200).at("/cause"))
        .isEqualTo("provider_unconfirmed");
    assertThat(attempts(unsure)).as("nothing is sent again meanwhile").isEqualTo("1");

    mill.settle(Duration.ZERO);
    mill.replicate().succeed(mill.reference(2), OutsideMill.picture());
    Answer job = mill.client().awaitJob(unsure, "completed");
    assertThat(job.at("/attempt")).as("sending it again is another try").isEqualTo("2");
    assertThat(mill.replicate().acceptedPerIntent().values()).containsOnly(1);
    assertThat(mill.replicate().bill()).isEqualTo(2);
  }

  @Test
  void work_that_was_taken_behind_an_error_and_is_listed_late_is_bought_once() {
    mill.replicate().hideNewWork();
    mill.replicate().takeNextSubmitAndAnswer(Answered.json(500, "{}"));
    String id = unconfirmed();
    int looks = questions();
    askNow();
    await().until(() -> questions() > looks);
    awaitQuiet(id);
    assertThat(state(id)).as("not there yet means nothing").isEqualTo("submitted");
    mill.replicate().listAll();
    askNow();
    await().until(() -> mill.mill().ask("select count(reference) from attempt").equals("1"));
    mill.replicate().succeed(mill.reference(1), OutsideMill.picture());
    assertThat(mill.client().awaitJob(id, "completed").at("/attempt")).isEqualTo("1");
    assertThat(mill.replicate().bill()).isEqualTo(1);
  }

  @Test
  void lost_submits_to_a_service_that_can_not_be_asked_hold_no_slot_and_are_never_sent_again() {
    mill.fal().onSubmit(Trouble.CUT_BEFORE);
    mill.fal().onSubmit(Trouble.CUT_AFTER);
    String nothing = clip();
    mill.client().awaitJob(nothing, "submitted");
    String taken = clip();
    mill.client().awaitJob(taken, "submitted");
    String third = clip();
    await().until(() -> mill.fal().bill() == 2);
    var done = JsonNodeFactory.instance.objectNode().put("text", "done");
    mill.fal().succeed(mill.fal().references().getLast(), done);
    mill.client().awaitJob(third, "completed");
    mill.fal().succeed(mill.fal().references().getFirst(), done);
    mill.client().awaitJob(taken, "completed");
    mill.settle(Duration.ZERO);
    awaitQuiet(nothing);
    assertThat(state(nothing)).isEqualTo("submitted");
    assertThat(mill.fal().bill()).isEqualTo(2);
    mill.client().post("/api/jobs/" + nothing + "/cancel", "").expect(200);
  }

  @Test
  void a_job_that_is_canceled_while_nobody_knows_is_refunded_when_it_is_known() {
    mill.replicate().refuseNextSubmit(Answered.json(500, "{}"));
    String id = unconfirmed();
    mill.client().post("/api/jobs/" + id + "/cancel", "").expect(200);
    mill.settle(Duration.ZERO);
    mill.client().awaitJob(id, "canceled");
    assertThat(mill.replicate().bill()).isZero();
  }

  @Test
  void an_id_that_the_service_gives_twice_does_not_mix_up_two_jobs() {
    String first = mill.submitted();
    String reference = mill.reference(1);
    mill.client().awaitJob(first, "submitted");
    mill.replicate()
        .refuseNextSubmit(Answered.json(201, OutsideMill.news(reference, "starting").strip()));
    String second = mill.submitted();
    assertThat(mill.client().awaitJob(second, "failed").at("/error/message"))
        .isEqualTo("The provider answered with the id of other work.");
    mill.replicate().succeed(reference, OutsideMill.picture());
    assertThat(mill.client().awaitJob(first, "completed").at("/attempt")).isEqualTo("1");
    assertThat(mill.replicate().bill()).isEqualTo(1);
  }

  @Test
  void a_result_waits_for_the_object_store_and_is_not_made_again() throws IOException {
    String id = mill.submitted();
    String reference = mill.reference(1);
    mill.client().awaitJob(id, "submitted");
    Path objects = folder.resolve("data/objects");
    Path aside = folder.resolve("data/aside");
    Files.move(objects, aside);
    Files.writeString(objects, "no folder");
    mill.replicate().succeed(reference, OutsideMill.picture());
    String drawn = mill.client().asked("sketch/draft", "\"prompt\":\"a fox\"");
    mill.client().awaitJob(drawn, "running");
    int looks = questions();
    askNow();
    await().until(() -> questions() > looks);
    awaitQuiet(id);
    assertThat(state(id)).isEqualTo("submitted");
    assertThat(state(drawn)).isEqualTo("running");
    Files.delete(objects);
    Files.move(aside, objects);
    askNow();
    assertThat(mill.client().awaitJob(id, "completed").at("/attempt")).isEqualTo("1");
    assertThat(mill.client().awaitJob(drawn, "completed").at("/attempt")).isEqualTo("1");
    assertThat(mill.replicate().bill()).isEqualTo(1);
  }

  private String clip() {
    return mill.client().asked("clip", "\"prompt\":\"a cat\"");
  }

  private String unconfirmed() {
    String id = mill.submitted();
    mill.client().awaitJob(id, "submitted");
    assertThat(mill.mill().ask("select count(unconfirmed_at) from attempt")).isEqualTo("1");
    return id;
  }

  private String state(String id) {
    return mill.client().job(id).at("/state");
  }

  private String attempts(String id) {
    return mill.mill().ask("select count(*) from attempt where job_id = '" + id + "'");
  }

  /** How often the service was asked for anything but work. */
  private int questions() {
    return (int) mill.replicate().asked().stream().filter(a -> a.method().equals("GET")).count();
  }

  /** Has whatever is out asked about at once. */
  private void askNow() {
    mill.mill().database().execute("update dispatch set ask_at = clock_timestamp()");
  }

  /** Until nobody asks about the job. */
  private void awaitQuiet(String id) {
    String asking =
        "select count(*) from dispatch where asking_until is not null and job_id = '" + id + "'";
    await().until(() -> mill.mill().ask(asking).equals("0"));
  }
}
