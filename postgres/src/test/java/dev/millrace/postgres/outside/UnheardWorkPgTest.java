package dev.millrace.postgres.outside;

import static dev.millrace.postgres.PlacedRows.FOREIGN;
import static dev.millrace.postgres.PlacedRows.NOW;
import static dev.millrace.postgres.PlacedRows.TENANT;
import static dev.millrace.postgres.PlacedRows.ago;
import static dev.millrace.postgres.PlacedRows.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.job.JobId;
import dev.millrace.postgres.PlacedRows;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Work and callbacks that found nobody: what a provider may still have, and what it told. */
class UnheardWorkPgTest {

  private static final JobId JOB = new JobId(TENANT, id(1));
  private static final String NOT_TAKEN = "not taken";

  private final PlacedRows rows = PlacedRows.none();
  private final Handovers handovers = new Handovers(rows.jdbi());
  private final Intents intents = handovers.intents();

  /** An attempt at job 1 for fal; what else is to be known of it comes after. */
  private void attempt(int number, @Nullable String outcome, @Nullable Object... columns) {
    Object[] usual = {
      "number",
      number,
      "token",
      id(1000 + number),
      "provider",
      "fal",
      "intent_at",
      ago(40),
      "outcome",
      outcome,
      "ended_at",
      outcome == null ? null : ago(20)
    };
    rows.attempt(1, Stream.concat(Arrays.stream(usual), Arrays.stream(columns)).toArray());
  }

  private void handed(int number, @Nullable String outcome, @Nullable Object... columns) {
    Object[] reference = {"reference", "r" + number, "accepted_at", ago(30)};
    attempt(
        number, outcome, Stream.concat(Arrays.stream(reference), Arrays.stream(columns)).toArray());
  }

  private List<Integer> left() {
    return handovers.left(JOB, "fal", NOT_TAKEN, "Refused: ").stream()
        .map(HandoverView::attempt)
        .toList();
  }

  private List<Integer> unheard() {
    return intents.unheard(JOB, "fal").stream().map(IntentView::attempt).toList();
  }

  private void placeJobs() {
    rows.job(1, "provider", "jobs-own");
    rows.input(1, TENANT, "{\"n\": 1}");
    rows.job(2);
    rows.input(2, TENANT, "{}");
    rows.job(1, "tenant_id", FOREIGN);
    rows.input(1, FOREIGN, "{}");
  }

  @Test
  void work_is_left_at_a_provider_if_nobody_there_said_how_it_ended() {
    placeJobs();
    handed(1, "lease_lost");
    handed(2, "requeued");
    handed(3, "expired");
    handed(4, "failed", "error", NOT_TAKEN);
    handed(5, "failed", "error", "broken");
    handed(6, "failed");
    handed(7, "completed", "error", NOT_TAKEN);
    handed(8, null);
    handed(9, "expired", "provider", "replicate");
    attempt(10, "expired");
    rows.attempt(2, "provider", "fal", "reference", "s", "outcome", "expired");
    rows.attempt(
        1,
        "number",
        11,
        "tenant_id",
        FOREIGN,
        "provider",
        "fal",
        "reference",
        "t",
        "outcome",
        "expired");
    // A failure tells only if something was to be handed over; these were not.
    rows.execute(
        "update attempt set intent_at = null where outcome = 'failed' or number in (1, 3)");
    assertThat(left()).containsExactly(4, 3, 2, 1);
    HandoverView oldest = handovers.left(JOB, "fal", NOT_TAKEN, "Refused: ").getLast();
    assertThat(oldest.provider()).isEqualTo("fal");
    assertThat(oldest.intendedAt()).isEqualTo(ago(50));
    assertThat(oldest.job().input()).isEqualTo("{\"n\": 1}");
    assertThat(handovers.left(JOB, "fal", NOT_TAKEN, "Refused: ").get(2).intendedAt())
        .isEqualTo(ago(40));
  }

  @Test
  void a_later_failure_that_asked_about_it_settles_what_was_left() {
    placeJobs();
    handed(1, "lease_lost");
    handed(2, "failed", "error", NOT_TAKEN);
    assertThat(left()).as("what failed settles what was before it").containsExactly(2);
    rows.execute("update attempt set intent_at = null where number = 2");
    assertThat(left()).containsExactly(2, 1);
    rows.execute("update attempt set unconfirmed_at = intent_at where number = 2");
    assertThat(left()).containsExactly(2, 1);
    rows.execute("update attempt set unconfirmed_at = started_at where number = 2");
    assertThat(left()).containsExactly(2);
    rows.execute("update attempt set outcome = 'lease_lost' where number = 2");
    assertThat(left()).containsExactly(2, 1);
  }

  @Test
  void failures_of_other_jobs_settle_nothing() {
    placeJobs();
    handed(1, "lease_lost");
    attempt(2, "lease_lost");
    rows.attempt(
        2, "number", 3, "outcome", "failed", "intent_at", ago(9), "unconfirmed_at", ago(9));
    rows.attempt(
        1,
        "tenant_id",
        FOREIGN,
        "number",
        3,
        "outcome",
        "failed",
        "intent_at",
        ago(9),
        "unconfirmed_at",
        ago(9));
    assertThat(left()).containsExactly(1);
    assertThat(intents.unheard(JOB, "fal")).extracting(IntentView::counted).containsExactly(false);
  }

  @Test
  void an_attempt_is_unheard_of_if_it_may_have_been_sent_and_no_answer_came() {
    attempt(1, "lease_lost");
    attempt(2, "requeued");
    attempt(3, "expired");
    attempt(4, "failed", "unconfirmed_at", ago(30));
    attempt(5, "completed");
    attempt(6, null, "unconfirmed_at", ago(10));
    attempt(7, null);
    attempt(8, "expired", "provider", "replicate");
    handed(9, "expired");
    rows.attempt(2, "provider", "fal", "intent_at", ago(40), "outcome", "expired");
    rows.attempt(
        1,
        "number",
        10,
        "tenant_id",
        FOREIGN,
        "provider",
        "fal",
        "intent_at",
        ago(40),
        "outcome",
        "expired");
    // Also what was judged not taken: work can show up later.
    assertThat(unheard()).containsExactly(6, 4, 3, 2, 1);
    assertThat(intents.unheard(JOB, "fal"))
        .extracting(IntentView::quietSeconds)
        .containsExactly(10.0, 30.0, 20.0, 20.0, 20.0);
  }

  @Test
  void its_silence_counts_from_when_nobody_could_send_it_any_more() {
    attempt(1, "lease_lost", "unconfirmed_at", ago(30));
    assertThat(intents.unheard(JOB, "fal"))
        .extracting(IntentView::quietSeconds)
        .containsExactly(30.0);
  }

  @Test
  void an_interruption_has_counted_when_a_later_attempt_that_asked_has_failed() {
    attempt(1, "lease_lost");
    attempt(2, null, "unconfirmed_at", ago(30));
    attempt(3, "expired");
    assertThat(counted()).containsExactly(true, true, false);
    attempt(4, "failed", "error", "x");
    attempt(5, "canceled", "unconfirmed_at", ago(5));
    assertThat(counted()).containsExactly(true, true, true, false);
    rows.execute("update attempt set unconfirmed_at = started_at where number = 4");
    assertThat(counted()).containsExactly(true, true, true, true, true);
  }

  private List<Boolean> counted() {
    return intents.unheard(JOB, "fal").stream().map(IntentView::counted).toList();
  }

  @Test
  void an_attempt_that_failed_itself_says_nothing_about_its_own_interruption() {
    attempt(1, "failed", "unconfirmed_at", ago(30));
    attempt(2, "requeued");
    assertThat(counted()).containsExactly(false, true);
  }

  @Test
  void a_call_is_unanswered_if_it_may_have_been_sent_and_no_failure_told_of_it() {
    attempt(1, "lease_lost");
    attempt(2, "requeued");
    attempt(3, "completed");
    attempt(4, null);
    attempt(5, "expired", "provider", "replicate");
    rows.attempt(2, "provider", "fal", "intent_at", ago(40), "outcome", "expired");
    rows.attempt(1, "number", 9, "tenant_id", FOREIGN, "provider", "fal", "outcome", "expired");
    assertThat(intents.called(JOB, "fal")).isEqualTo(new EarlierCalls(2, 1));
    attempt(6, "expired");
    assertThat(intents.called(JOB, "fal")).isEqualTo(new EarlierCalls(3, 2));
    rows.attempt(2, "number", 7, "outcome", "failed", "token", id(90));
    rows.attempt(1, "number", 10, "tenant_id", FOREIGN, "outcome", "failed", "token", id(91));
    assertThat(intents.called(JOB, "fal")).isEqualTo(new EarlierCalls(3, 2));
    rows.execute("update attempt set outcome = 'failed' where number = 3");
    assertThat(intents.called(JOB, "fal")).isEqualTo(new EarlierCalls(3, 1));
    attempt(8, "failed", "unconfirmed_at", ago(30));
    assertThat(intents.called(JOB, "fal")).isEqualTo(new EarlierCalls(4, 0));
    handed(11, "lease_lost");
    assertThat(intents.called(JOB, "fal")).isEqualTo(new EarlierCalls(4, 0));
  }

  @Test
  void a_token_and_an_intent_are_those_of_the_one_attempt() {
    attempt(1, null);
    attempt(2, null, "intent_at", ago(7));
    rows.attempt(2, "provider", "fal", "intent_at", ago(6));
    rows.attempt(1, "tenant_id", FOREIGN, "provider", "fal", "intent_at", ago(5), "token", id(5));
    assertThat(intents.token(JOB, 1, "fal")).contains(id(1001));
    assertThat(intents.token(JOB, 1, "replicate")).isEmpty();
    assertThat(intents.token(JOB, 3, "fal")).isEmpty();
    assertThat(intents.intendedAt(JOB, 1)).contains(ago(40));
    assertThat(intents.intendedAt(JOB, 2)).contains(ago(7));
  }

  private void callback(String event, int age, @Nullable Object... columns) {
    Object[] usual = {
      "provider", "fal", "event", event, "reference", "r1", "intent", "i1", "received_at", ago(age)
    };
    rows.row("inbox", Stream.concat(Arrays.stream(usual), Arrays.stream(columns)).toArray());
  }

  private void judged(String event, int age) {
    callback(event, age, "verdict", "late", "judged_at", NOW, "tenant_id", TENANT, "job_id", id(1));
  }

  @Test
  void the_oldest_callback_that_nobody_has_judged_is_found_by_its_reference_or_its_intent() {
    judged("a", 9);
    callback("b", 8, "provider", "replicate", "reference", "r1");
    callback("c", 7, "reference", "r2", "intent", "i2");
    callback("d", 5, "intent", null);
    callback("e", 6);
    callback("f", 4, "reference", "r3");
    assertThat(handovers.waiting("fal", "r1")).contains("e");
    assertThat(intents.heardOf("fal", "i1")).contains("r1");
    assertThat(intents.heardOf("fal", "i2")).contains("r2");
    assertThat(intents.heardOf("fal", "i3")).isEmpty();
    rows.execute("delete from inbox where event in ('d', 'e')");
    assertThat(handovers.waiting("fal", "r1")).isEmpty();
    assertThat(intents.heardOf("fal", "i1")).contains("r3");
    rows.execute("delete from inbox where event = 'f'");
    assertThat(intents.heardOf("fal", "i1")).isEmpty();
  }

  @Test
  void callbacks_that_waited_too_long_are_told_oldest_first_with_the_work_they_are_about() {
    judged("a", 99);
    callback("b", 10);
    callback("c", 12, "reference", "r2");
    callback("d", 11, "reference", "unknown");
    callback("e", 13, "provider", "replicate");
    handed(1, null);
    handed(2, "expired");
    List<StrayCallback> strays = handovers.strays(Duration.ofSeconds(10), 50);
    assertThat(strays).extracting(StrayCallback::event).containsExactly("e", "c", "d");
    assertThat(strays).extracting(StrayCallback::over).containsExactly(false, true, false);
    assertThat(strays).extracting(StrayCallback::token).containsExactly(null, id(1002), null);
    assertThat(handovers.strays(Duration.ofSeconds(10), 1)).hasSize(1);
    assertThat(handovers.strays(Duration.ofSeconds(9), 50))
        .extracting(StrayCallback::token)
        .contains(id(1001));
  }
}
