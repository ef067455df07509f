package dev.millrace.postgres.outside;

import static dev.millrace.postgres.PlacedRows.FOREIGN;
import static dev.millrace.postgres.PlacedRows.NOW;
import static dev.millrace.postgres.PlacedRows.TENANT;
import static dev.millrace.postgres.PlacedRows.ago;
import static dev.millrace.postgres.PlacedRows.id;
import static dev.millrace.postgres.PlacedRows.in;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.job.JobId;
import dev.millrace.postgres.PlacedRows;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Work that a provider has is found by whoever is to ask about it, and by nobody else. */
class HandoversPgTest {

  private static final Duration CLAIM = Duration.ofSeconds(60);
  private static final String TIMES = "select job_id, ask_at, asking_until, told_at from dispatch";

  private final PlacedRows rows = PlacedRows.none();
  private final Handovers handovers = new Handovers(rows.jdbi());

  private static JobId job(int number) {
    return new JobId(TENANT, id(number));
  }

  private static UUID token(int number) {
    return id(1000 + number);
  }

  /** A job that fal has, and that may be asked about. */
  private void handedOver(int number, @Nullable Object... dispatch) {
    rows.job(number, "state", "submitted", "provider", "fal");
    rows.input(number, TENANT, "{\"n\": " + number + "}");
    rows.attempt(
        number,
        "provider",
        "fal",
        "reference",
        "r" + number,
        "intent_at",
        ago(40),
        "accepted_at",
        ago(30));
    waiting(number, dispatch);
  }

  private void waiting(int number, @Nullable Object... dispatch) {
    Object[] usual = {
      "state", "submitted", "provider", "fal", "worker", "a", "lease_token", token(number)
    };
    rows.dispatch(number, Stream.concat(Arrays.stream(usual), Arrays.stream(dispatch)).toArray());
  }

  private List<UUID> claimed(int limit) {
    return handovers.claim(List.of("fal", "replicate"), limit, CLAIM).stream()
        .map(view -> view.job().jobId())
        .toList();
  }

  @Test
  void what_is_due_is_asked_about_by_one() {
    handedOver(1);
    handedOver(2, "ask_at", NOW);
    handedOver(3, "ask_at", in(1));
    handedOver(4, "ask_at", ago(1), "asking_until", in(1));
    handedOver(5, "provider", "other");
    handedOver(6, "state", "running");
    assertThat(claimed(50)).containsExactlyInAnyOrder(id(1), id(2));
    assertThat(claimed(50)).isEmpty();
    assertThat(
            rows.ask(
                "select ask_at = 'infinity', asking_until, told_at is null from dispatch"
                    + " where job_id = '"
                    + id(1)
                    + "'"))
        .isEqualTo("t,2026-03-01 12:01:00+00,t");
  }

  @Test
  void a_claim_that_was_not_renewed_is_somebody_elses_when_it_ends() {
    handedOver(1, "ask_at", "infinity", "asking_until", NOW);
    handedOver(2, "ask_at", "infinity", "asking_until", in(1));
    handedOver(3, "ask_at", "infinity");
    assertThat(claimed(50)).containsExactly(id(1));
  }

  @Test
  void a_cancel_is_told_once_without_waiting_for_the_next_question() {
    handedOver(1, "state", "canceling", "ask_at", in(60));
    handedOver(2, "state", "canceling", "ask_at", in(60), "told_at", ago(1));
    assertThat(claimed(50)).containsExactly(id(1));
    assertThat(rows.ask("select told_at from dispatch where job_id = '" + id(1) + "'"))
        .isEqualTo("2026-03-01 12:00:00+00");
  }

  @Test
  void nobody_asks_about_an_attempt_that_its_provider_may_not_have() {
    handedOver(1);
    rows.execute("update attempt set reference = null");
    handedOver(2);
    rows.execute(
        "update attempt set reference = null, unconfirmed_at = '%s' where job_id = '%s'"
            .formatted(ago(9), id(2)));
    handedOver(3);
    rows.execute("update attempt set token = '%s' where job_id = '%s'".formatted(id(5), id(3)));
    waiting(4);
    rows.attempt(4, "tenant_id", FOREIGN, "reference", "r4");
    waiting(5);
    rows.attempt(6, "token", token(5), "reference", "r6");
    assertThat(claimed(50)).containsExactly(id(2));
    assertThat(rows.ask("select job_id from dispatch where asking_until is not null"))
        .isEqualTo(id(2).toString());
  }

  @Test
  void who_waits_longest_comes_first() {
    handedOver(1, "ask_at", ago(1));
    handedOver(2, "ask_at", ago(2));
    handedOver(3);
    rows.dispatch(1, "tenant_id", FOREIGN);
    assertThat(claimed(1)).containsExactly(id(3));
    assertThat(claimed(1)).containsExactly(id(2));
    assertThat(rows.ask("select tenant_id from dispatch where asking_until is not null"))
        .isEqualTo("1 | 1");
    assertThat(claimed(1)).containsExactly(id(1));
    assertThat(rows.ask("select count(*) from dispatch where asking_until is not null"))
        .isEqualTo("3");
  }

  @Test
  void work_that_is_being_written_is_left_for_the_next_time() throws Exception {
    handedOver(1);
    handedOver(2);
    try (var _ = rows.hold("select 1 from dispatch where job_id = '" + id(1) + "' for update")) {
      assertThat(claimed(50)).containsExactly(id(2));
    }
  }

  @Test
  void what_the_present_attempt_waits_for_is_told_with_its_own_job_and_input() {
    rows.job(1, "tenant_id", FOREIGN);
    handedOver(1);
    handedOver(2);
    rows.input(1, FOREIGN, "{}");
    rows.attempt(1, "number", 2, "token", id(9), "reference", "later");
    rows.attempt(1, "tenant_id", FOREIGN, "reference", "theirs");
    rows.dispatch(1, "tenant_id", FOREIGN, "lease_token", token(1));
    assertThat(handovers.claimed(job(1)).orElseThrow()).isEqualTo(view(1, "fal", "r1", ago(40)));
    rows.execute("update attempt set reference = null");
    assertThat(handovers.claimed(job(1))).isEmpty();
    rows.execute("update attempt set unconfirmed_at = '%s'".formatted(ago(1)));
    assertThat(handovers.claimed(job(1))).isPresent();
    rows.execute("update dispatch set lease_token = '%s'".formatted(id(8)));
    rows.dispatch(3, "lease_token", token(1));
    assertThat(handovers.claimed(job(1))).isEmpty();
  }

  private static HandoverView view(
      int number, String provider, String reference, java.time.Instant intended) {
    return new HandoverView(
        new HandoverView.Job(
            TENANT,
            id(number),
            1,
            dev.millrace.engine.lifecycle.State.SUBMITTED,
            600,
            0,
            "{\"n\": " + number + "}",
            new HandoverView.Terms(1, 0)),
        1,
        token(number),
        provider,
        reference,
        intended);
  }

  @Test
  void an_attempt_without_an_intent_counts_from_its_start_at_its_jobs_provider() {
    rows.job(1, "state", "submitted", "provider", "jobs-own");
    rows.input(1, TENANT, "{\"n\": 1}");
    rows.attempt(1, "reference", "r1");
    waiting(1);
    assertThat(handovers.claimed(job(1))).contains(view(1, "jobs-own", "r1", ago(50)));
  }

  @BeforeEach
  void place_neighbours() {
    rows.row(
        "inbox",
        "provider",
        "fal",
        "event",
        "judged",
        "reference",
        "r1",
        "verdict",
        "late",
        "received_at",
        ago(99),
        "judged_at",
        ago(98),
        "tenant_id",
        TENANT,
        "job_id",
        id(1));
  }

  @Test
  void an_attempt_is_found_by_its_providers_reference() {
    handedOver(1);
    handedOver(2);
    rows.execute("update attempt set provider = 'replicate' where job_id = '%s'".formatted(id(2)));
    rows.execute("update attempt set reference = 'r1' where job_id = '%s'".formatted(id(2)));
    handedOver(3);
    rows.job(1, "tenant_id", FOREIGN, "workflow_id", 3);
    rows.input(1, FOREIGN, "{}");
    assertThat(handovers.byReference("fal", "r1")).contains(view(1, "fal", "r1", ago(40)));
    assertThat(handovers.byReference("fal", "r2")).isEmpty();
    rows.execute("update attempt set intent_at = null");
    assertThat(handovers.byReference("fal", "r1")).contains(view(1, "fal", "r1", ago(50)));
  }

  @Test
  void only_the_lease_that_claimed_it_renews_a_claim_and_not_after_it_was_given_back() {
    handedOver(1, "asking_until", in(1));
    handedOver(2, "asking_until", in(1), "lease_token", token(1));
    rows.dispatch(1, "tenant_id", FOREIGN, "asking_until", in(1), "lease_token", token(1));
    assertThat(handovers.renew(job(1), token(2), CLAIM)).isFalse();
    assertThat(handovers.renew(job(1), token(1), CLAIM)).isTrue();
    assertThat(rows.ask("select tenant_id, asking_until from dispatch order by asking_until desc"))
        .startsWith("1,2026-03-01 12:01:00+00 | ")
        .contains("2,2026-03-01 12:00:01+00")
        .contains("1,2026-03-01 12:00:01+00");
    rows.execute("update dispatch set asking_until = null");
    assertThat(handovers.renew(job(1), token(1), CLAIM)).isFalse();
  }

  @Test
  void a_pause_never_puts_off_news_that_came_meanwhile() {
    handedOver(1, "ask_at", "infinity", "asking_until", in(1));
    handedOver(2, "ask_at", ago(1), "asking_until", in(1));
    handedOver(3, "ask_at", in(999), "asking_until", in(1));
    for (int number = 1; number <= 3; number++) {
      handovers.release(job(number), token(number), Duration.ofSeconds(10));
    }
    assertThat(rows.ask(TIMES + " order by job_id"))
        .isEqualTo(
            "%s,2026-03-01 12:00:10+00,, | %s,2026-03-01 11:59:59+00,, | %s,2026-03-01 12:00:10+00,,"
                .formatted(id(1), id(2), id(3)));
  }

  @Test
  void only_the_lease_that_claimed_it_gives_a_claim_back() {
    handedOver(1, "asking_until", in(1));
    handedOver(2, "asking_until", in(1), "lease_token", token(1));
    rows.dispatch(1, "tenant_id", FOREIGN, "asking_until", in(1), "lease_token", token(1));
    handovers.release(job(1), token(2), Duration.ZERO);
    assertThat(rows.ask("select count(*) from dispatch where asking_until is null")).isEqualTo("0");
    handovers.release(job(1), token(1), Duration.ZERO);
    assertThat(rows.ask("select tenant_id, job_id from dispatch where asking_until is null"))
        .isEqualTo("1," + id(1));
  }

  @Test
  void news_of_a_reference_wakes_the_one_attempt_that_it_is_about() {
    handedOver(1);
    handedOver(2);
    rows.execute(
        "update attempt set provider = 'replicate', reference = 'r1' where job_id = '%s'"
            .formatted(id(2)));
    handedOver(3, "lease_token", token(1));
    handedOver(4);
    rows.dispatch(1, "tenant_id", FOREIGN, "lease_token", token(1));
    assertThat(handovers.nudge("fal", "r1")).isTrue();
    assertThat(rows.ask("select tenant_id, job_id, ask_at from dispatch where ask_at is not null"))
        .isEqualTo("1,%s,2026-03-01 12:00:00+00".formatted(id(1)));
    rows.execute("update dispatch set lease_token = '%s'".formatted(id(7)));
    assertThat(handovers.nudge("fal", "r1")).isFalse();
  }

  @Test
  void news_of_a_job_wakes_it_only_while_nobody_knows_whether_its_provider_has_it() {
    handedOver(1);
    assertThat(handovers.nudge(job(1))).isFalse();
    rows.execute("update attempt set unconfirmed_at = '%s'".formatted(ago(9)));
    assertThat(handovers.nudge(job(1))).isFalse();
    rows.execute("update attempt set unconfirmed_at = null, reference = null");
    assertThat(handovers.nudge(job(1))).isFalse();
    rows.execute("update attempt set unconfirmed_at = '%s'".formatted(ago(9)));
    handedOver(2, "lease_token", token(1));
    handedOver(3);
    rows.execute("update attempt set reference = null, unconfirmed_at = started_at");
    rows.attempt(1, "tenant_id", FOREIGN, "unconfirmed_at", ago(9));
    rows.dispatch(1, "tenant_id", FOREIGN, "lease_token", token(1));
    assertThat(handovers.nudge(job(1))).isTrue();
    assertThat(rows.ask("select tenant_id, job_id, ask_at from dispatch where ask_at is not null"))
        .isEqualTo("1,%s,2026-03-01 12:00:00+00".formatted(id(1)));
    rows.execute("update dispatch set lease_token = '%s'".formatted(id(7)));
    assertThat(handovers.nudge(job(1))).isFalse();
  }

  @Test
  void the_state_is_that_of_the_tenants_own_job() {
    rows.job(1, "state", "running");
    rows.job(2);
    rows.job(1, "tenant_id", FOREIGN, "state", "failed");
    assertThat(handovers.state(job(1))).contains("running");
    assertThat(handovers.state(job(3))).isEmpty();
  }
}
