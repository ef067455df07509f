package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.FleetRig;
import dev.millrace.server.rig.ServerRig;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No job is left hanging because of words in a report that nobody needs. */
class LenientReportsApiPgTest {

  private static final String TOO_DEEP = "nested too deep";
  private static final String TOO_LONG = "too long";
  private static final String DEEP = "{\"a\":".repeat(20) + "1" + "}".repeat(20);
  private static final String LONG = "{\"a\":\"" + "x".repeat(30_000) + "\"}";

  @TempDir static Path folder;
  private static ServerRig rig;
  private static FleetRig.Worker worker;

  @BeforeAll
  static void start() {
    rig = ServerRig.start(folder, FleetRig.settings(folder));
    worker = FleetRig.worker(rig.admin(), "w1", 4, "upscale");
  }

  @AfterAll
  static void stop() {
    rig.examine();
    rig.close();
  }

  private static FleetRig.Work leased() {
    rig.admin().asked("upscale/one", "\"prompt\":\"a fox\"");
    return worker.lease();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\\u0000b", "half \\ud83e of it", "\\udd8a"})
  void a_result_in_broken_text_counts(String text) {
    FleetRig.Work work = leased();
    work.tell(
            "complete",
            "\"outputs\":[{\"text\":\"%s\"}]".formatted(text),
            "\"summary\":{\"note\":\"%s\"}".formatted(text))
        .expect(200);
    Answer job = rig.admin().job(work.id());
    assertThat(job.at("/state")).isEqualTo("completed");
    assertThat(rig.admin().get(job.at("/outputs/0/url")).expect(200).text()).contains("\uFFFD");
  }

  @ParameterizedTest
  @ValueSource(strings = {TOO_DEEP, TOO_LONG})
  void a_summary_that_can_not_be_kept_is_ignored_and_the_report_counts(String name) {
    String summary = "\"summary\":" + (name.equals(TOO_DEEP) ? DEEP : LONG);
    FleetRig.Work work = leased();
    Answer beat = work.tell("heartbeat", "\"progress\":40", summary).expect(200);
    assertThat(beat.at("/summary_ignored")).contains(name);
    assertThat(beat.at("/lease_expires_at")).isNotEmpty();
    assertThat(rig.admin().job(work.id()).at("/progress")).isEqualTo("40");

    Answer left = work.tell("complete", "\"outputs\":[{\"text\":\"done\"}]", summary).expect(200);
    assertThat(left.at("/state")).isEqualTo("completed");
    assertThat(left.at("/summary_ignored")).contains(name);
    assertThat(rig.admin().job(work.id()).json().path("summary").isEmpty()).isTrue();
  }

  @Test
  void a_summary_that_a_result_has_no_room_for_is_ignored_and_the_answer_says_so() {
    FleetRig.Work work = leased();
    String half = "\"" + "x".repeat(19_900) + "\"";
    work.tell("heartbeat", "\"summary\":{\"a\":" + half + "}").expect(200);
    work.tell("heartbeat", "\"summary\":{\"b\":" + half + "}").expect(200);
    Answer left =
        work.tell(
                "complete", "\"outputs\":[{\"text\":\"done\"}]", "\"summary\":{\"c\":" + half + "}")
            .expect(200);
    assertThat(left.at("/state")).isEqualTo("completed");
    assertThat(left.at("/summary_ignored")).contains("no room");
  }

  @ParameterizedTest
  @ValueSource(strings = {"86401", "99999999999", "99999999999999999999999"})
  void a_failure_that_asks_for_more_than_a_day_of_rest_gets_a_day(String seconds) {
    FleetRig.Work work = leased();
    work.tell("fail", "\"error_class\":\"retryable\"", "\"retry_after_seconds\":" + seconds)
        .expect(200);
    Answer why = rig.admin().get("/api/jobs/" + work.id() + "/why").expect(200);
    assertThat(why.at("/cause")).isEqualTo("backing_off");
    assertThat(Instant.parse(why.at("/until")))
        .isBetween(
            Instant.now().plus(Duration.ofHours(23)), Instant.now().plus(Duration.ofHours(25)));
    rig.admin().post("/api/jobs/" + work.id() + "/cancel", "").expect(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.5",
        "-5",
        "1e9",
        "1e400",
        "1e99999999999",
        "1e-99999999999",
        "NaN",
        "-Infinity",
        "\"soon\"",
        "[]"
      })
  void a_failure_counts_whatever_rest_it_asks_for(String seconds) {
    FleetRig.Work work = leased();
    work.tell(
            "fail",
            "\"error_class\":\"retryable\"",
            "\"message\":5",
            "\"retry_after_seconds\":" + seconds)
        .expect(200);
    assertThat(rig.admin().job(work.id()).at("/state")).isEqualTo("pending");
    rig.admin().post("/api/jobs/" + work.id() + "/cancel", "").expect(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1e400",
        "-1e400",
        "1e99999999999",
        "-1e-99999999999",
        "NaN",
        "Infinity",
        "-Infinity"
      })
  void what_is_no_number_in_a_summary_is_null_and_the_lease_is_extended(String number) {
    FleetRig.Work work = leased();
    Answer beat =
        work.tell("heartbeat", "\"summary\":{\"loss\":[%s],\"n\":1}".formatted(number)).expect(200);
    assertThat(beat.at("/lease_expires_at")).isNotEmpty();
    assertThat(rig.admin().job(work.id()).json().path("summary").toString())
        .isEqualTo("{\"n\":1,\"loss\":[null]}");
    work.tell("complete", "\"outputs\":[{\"text\":\"done\"}]", "\"summary\":" + number).expect(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"step\":5",
        "\"message\":[\"x\"]",
        "\"summary\":[1]",
        "\"progress\":\"40\"",
        "\"progress\":NaN"
      })
  void what_a_heartbeat_can_not_say_so_is_no_reason_to_lose_the_lease(String field) {
    FleetRig.Work work = leased();
    assertThat(work.tell("heartbeat", field).expect(200).at("/lease_expires_at")).isNotEmpty();
    work.complete("done").expect(200);
  }

  @Test
  void a_number_of_many_digits_and_a_long_name_are_no_reason_to_lose_the_lease() {
    FleetRig.Work work = leased();
    work.tell("heartbeat", "\"summary\":{\"loss\":[" + "7".repeat(5_000) + "]}").expect(200);
    assertThat(rig.admin().job(work.id()).json().path("summary").toString())
        .isEqualTo("{\"loss\":[null]}");
    work.tell("heartbeat", "\"summary\":{\"" + "k".repeat(400) + "\":1}").expect(200);
    work.tell("heartbeat", "\"progress\":" + "9".repeat(5_000)).expect(200);
    work.complete("done").expect(200);
  }

  @Test
  void a_worker_that_is_not_ready_says_so_in_any_words() {
    FleetRig.Worker ill = FleetRig.worker(rig.admin(), "ill", 1, "caption");
    String many = "down ".repeat(10_000);
    assertThat(reason(ill, many)).startsWith("down down").hasSizeLessThanOrEqualTo(300);
    assertThat(reason(ill, "no\\u0000 answer")).contains("answer");
    assertThat(reason(ill, "half \\ud83e of it")).contains("of it");
    assertThat(reason(ill, "  ")).isEqualTo("It gave no reason.");
  }

  private static String reason(FleetRig.Worker of, String text) {
    of.call("poll", "{\"ready\":false,\"reason\":\"%s\"}".formatted(text)).expect(200);
    return rig.admin().get("/api/admin/workers/ill").expect(200).at("/not_ready_reason");
  }
}
