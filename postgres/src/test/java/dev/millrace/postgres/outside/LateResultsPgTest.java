package dev.millrace.postgres.outside;

import static dev.millrace.postgres.PlacedRows.FOREIGN;
import static dev.millrace.postgres.PlacedRows.NOW;
import static dev.millrace.postgres.PlacedRows.TENANT;
import static dev.millrace.postgres.PlacedRows.ago;
import static dev.millrace.postgres.PlacedRows.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.job.JobId;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.PlacedRows;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Results that came too late: kept once, adopted once, and shown while they can be adopted. */
class LateResultsPgTest {

  private static final JobId JOB = new JobId(TENANT, id(1));
  private static final String ALL =
      "select tenant_id, job_id, number, state, decided_at, actor from late_result"
          + " order by tenant_id, job_id, number";

  private final PlacedRows rows = PlacedRows.none();
  private final LateResults results = new LateResults(rows.jdbi());
  private final ProviderWork work = new ProviderWork(rows.jdbi());

  private void late(int number, @Nullable Object... columns) {
    Object[] usual = {
      "tenant_id",
      TENANT,
      "job_id",
      id(1),
      "number",
      number,
      "files",
      "[]",
      "summary",
      "{}",
      "received_at",
      ago(number)
    };
    rows.row("late_result", Stream.concat(Arrays.stream(usual), Arrays.stream(columns)).toArray());
  }

  private void adopted(int number, @Nullable Object... columns) {
    Object[] usual = {"state", "adopted", "decided_at", ago(3), "actor", "key:a"};
    late(number, Stream.concat(Arrays.stream(usual), Arrays.stream(columns)).toArray());
  }

  @Test
  void a_result_is_kept_once() {
    assertThat(results.keep(JOB, 1, "[1]", "{}")).isTrue();
    assertThat(results.keep(JOB, 1, "[2]", "{}")).isFalse();
    LateResultView kept = results.kept(JOB).orElseThrow();
    assertThat(kept.files()).isEqualTo("[1]");
    assertThat(kept.receivedAt()).isEqualTo(NOW);
  }

  @Test
  void the_newest_result_in_a_state_is_found_for_the_tenants_own_job() {
    late(1);
    late(3);
    late(2);
    adopted(4);
    late(5, "job_id", id(2));
    late(6, "tenant_id", FOREIGN);
    assertThat(results.kept(JOB).orElseThrow().attempt()).isEqualTo(3);
    assertThat(results.adopted(JOB).orElseThrow().attempt()).isEqualTo(4);
    assertThat(results.exists(JOB, 4)).isTrue();
    assertThat(results.exists(JOB, 5)).isFalse();
    assertThat(results.exists(JOB, 6)).isFalse();
    assertThat(results.exists(new JobId(TENANT, id(3)), 1)).isFalse();
  }

  @Test
  void a_result_is_adopted_by_the_first_who_wants_it_and_no_other_is_touched() {
    late(1);
    late(2);
    late(1, "job_id", id(2));
    late(1, "tenant_id", FOREIGN);
    assertThat(results.adopt(JOB, 1, "key:a")).isTrue();
    assertThat(results.adopt(JOB, 1, "key:b")).isFalse();
    assertThat(rows.ask(ALL))
        .isEqualTo(
            "1,%1$s,1,adopted,2026-03-01 12:00:00+00,key:a | 1,%1$s,2,kept,, | 1,%2$s,1,kept,,"
                    .formatted(id(1), id(2))
                + " | 2,%s,1,kept,,".formatted(id(1)));
  }

  @Test
  void a_result_that_could_not_be_paid_for_is_put_back_and_no_other_is() {
    adopted(1);
    adopted(2);
    adopted(1, "job_id", id(2));
    adopted(1, "tenant_id", FOREIGN);
    results.putBack(JOB, 1);
    results.putBack(JOB, 3);
    assertThat(
            rows.ask(
                "select tenant_id, job_id, number, actor, decided_at from late_result"
                    + " where state = 'kept'"))
        .isEqualTo("1," + id(1) + ",1,,");
    // Nobody's decision is written over.
    rows.execute("update late_result set actor = 'key:z' where state = 'kept'");
    results.putBack(JOB, 1);
    assertThat(rows.ask("select actor from late_result where state = 'kept'")).isEqualTo("key:z");
  }

  @Test
  void what_can_be_adopted_is_listed_newest_first_with_its_own_names() {
    rows.job(1, "state", "failed", "effect_id", 3, "wallet_id", 2);
    rows.job(2, "state", "dead_letter");
    rows.job(3, "state", "expired");
    rows.job(4, "state", "completed");
    rows.job(5, "state", "failed", "deleted_at", NOW);
    rows.job(1, "tenant_id", FOREIGN, "state", "failed");
    rows.job(8, "tenant_id", FOREIGN, "state", "failed");
    late(10, "received_at", ago(3));
    for (int job : List.of(2, 3, 4, 5)) {
      late(job, "job_id", id(job), "received_at", job == 3 ? ago(9) : ago(job));
    }
    adopted(11, "received_at", ago(1));
    late(12, "received_at", ago(10));
    late(8, "job_id", id(8), "tenant_id", FOREIGN);
    rows.attempt(1, "number", 10, "provider", "fal");
    rows.attempt(1, "number", 11, "provider", "no");
    rows.attempt(2, "number", 10, "provider", "no");
    rows.attempt(1, "number", 10, "provider", "no", "tenant_id", FOREIGN);
    assertThat(work.late(TENANT, ago(9), 50))
        .containsExactly(
            listed(2, 2, null, "e1", "ada", State.DEAD_LETTER, 2),
            listed(1, 10, "fal", "e3", "bob", State.FAILED, 3),
            listed(3, 3, null, "e1", "ada", State.EXPIRED, 9));
    assertThat(work.late(TENANT, ago(9), 1)).hasSize(1);
  }

  private static ProviderWork.Late listed(
      int job,
      int attempt,
      @Nullable String provider,
      String effect,
      String user,
      State state,
      int age) {
    return new ProviderWork.Late(
        new ProviderWork.LateJob(id(job), effect, user, state, 5), attempt, provider, 0, ago(age));
  }

  @Test
  void what_lies_at_providers_and_what_they_told_is_counted_for_each() {
    dispatch(1, "submitted", "fal", ago(5));
    dispatch(2, "submitted", "fal", ago(7));
    dispatch(3, "canceling", "fal", null);
    dispatch(4, "running", "fal", null);
    rows.dispatch(5, "ask_at", "infinity", "provider", "busy");
    rows.dispatch(6);
    callback("fal", "a", ago(8));
    callback("fal", "b", ago(9));
    callback("heard", "c", ago(4));
    rows.row(
        "inbox",
        "provider",
        "judged",
        "event",
        "d",
        "reference",
        "r",
        "received_at",
        ago(4),
        "verdict",
        "unmatched",
        "judged_at",
        NOW);
    assertThat(work.standing())
        .containsExactlyInAnyOrder(
            new ProviderWork.Standing("fal", 2, 1, ago(7), 2, ago(9)),
            new ProviderWork.Standing("busy", 0, 0, null, 0, null),
            new ProviderWork.Standing("heard", 0, 0, null, 1, ago(4)));
  }

  private void dispatch(
      int number, String state, String provider, java.time.@Nullable Instant ask) {
    UUID token = id(1000 + number);
    rows.dispatch(
        number, "state", state, "provider", provider, "ask_at", ask, "lease_token", token);
  }

  private void callback(String provider, String event, java.time.Instant at) {
    rows.row("inbox", "provider", provider, "event", event, "reference", event, "received_at", at);
  }
}
