package dev.millrace.postgres.jobs;

import static dev.millrace.postgres.PlacedRows.FOREIGN;
import static dev.millrace.postgres.PlacedRows.NOW;
import static dev.millrace.postgres.PlacedRows.TENANT;
import static dev.millrace.postgres.PlacedRows.ago;
import static dev.millrace.postgres.PlacedRows.id;
import static dev.millrace.postgres.PlacedRows.in;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.PlacedRows;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The pulse of one tenant, beside another one whose jobs have the same ids. */
class TenantActivityPgTest {

  /** Jobs are recent from number 10 on. */
  private static final Instant SINCE = FirstId.timeOf(id(10));

  private final PlacedRows rows = PlacedRows.none();
  private final TenantActivity pulse = new TenantActivity(rows.jdbi());

  private TenantActivity.Reading read() {
    return pulse.read(TENANT, SINCE, Duration.ofSeconds(10));
  }

  private void live(int number, String state, @Nullable Object leaseEnd, int tenant) {
    @Nullable UUID token = leaseEnd == null ? null : id(1000);
    rows.job(number, "tenant_id", tenant, "held", number, "lease_expires_at", leaseEnd);
    rows.dispatch(
        number, "tenant_id", tenant, "state", state, "lease_token", token, "due_at", ago(number));
  }

  @Test
  void what_is_live_is_counted_by_state_with_the_oldest_and_those_in_danger() {
    live(1, "running", in(10), TENANT);
    live(2, "running", NOW.plusMillis(9_999), TENANT);
    live(3, "submitted", ago(1), TENANT);
    live(4, "queued", null, TENANT);
    live(5, "queued", null, TENANT);
    live(2, "running", ago(1), FOREIGN);
    live(1, "running", ago(1), FOREIGN);
    rows.job(6, "lease_expires_at", ago(1));
    rows.job(7, "lease_expires_at", ago(1), "held", 0);
    rows.dispatch(7, "state", "waiting_review", "due_at", ago(7));
    rows.execute("update dispatch set state = 'running' where state = 'waiting_review'");
    assertThat(read().live())
        .containsExactly(
            new TenantActivity.Live(State.QUEUED, 2, ago(5), 0),
            new TenantActivity.Live(State.RUNNING, 3, ago(7), 1),
            new TenantActivity.Live(State.SUBMITTED, 1, ago(3), 0));
    assertThat(read().reserved()).isEqualTo(15);
  }

  @Test
  void where_nothing_is_live_nothing_is_reserved() {
    rows.job(1);
    assertThat(read().reserved()).isZero();
    assertThat(pulse.read(TENANT, FirstId.timeOf(id(900)), Duration.ofSeconds(10)).times())
        .isEqualTo(new TenantActivity.Times(0, 0, -1, -1, -1, -1));
  }

  private void over(int number, String state, @Nullable Object... columns) {
    rows.job(number, columns);
    rows.execute(
        "update job set state = '%s' where id = '%s' and tenant_id = 1"
            .formatted(state, id(number)));
  }

  /** Jobs that waited for 1, 2 and 9 seconds, and ran for 10, 20 and 90. */
  @BeforeEach
  void place_ended_jobs() {
    int number = 10;
    for (int seconds : new int[] {1, 9, 2}) {
      rows.job(
          number,
          "state",
          seconds == 2 ? "failed" : "completed",
          "captured",
          seconds,
          "due_at",
          SINCE,
          "started_at",
          SINCE.plusSeconds(seconds),
          "finished_at",
          SINCE.plusSeconds(seconds + 10L * seconds));
      number++;
    }
    rows.job(9, "state", "canceled", "finished_at", SINCE, "captured", 100);
    rows.job(13, "state", "canceled", "finished_at", SINCE, "deleted_at", NOW, "captured", 100);
    rows.job(12, "tenant_id", FOREIGN, "state", "expired", "finished_at", SINCE, "captured", 100);
  }

  @Test
  void what_ended_is_counted_by_state_since_a_moment() {
    rows.job(14, "captured", 0);
    over(15, "canceled", "finished_at", SINCE);
    assertThat(read().ended())
        .containsExactly(
            new TenantActivity.Ended(State.COMPLETED, 2),
            new TenantActivity.Ended(State.FAILED, 1),
            new TenantActivity.Ended(State.CANCELED, 1));
  }

  @Test
  void a_job_of_that_very_moment_is_recent() {
    rows.job(
        14,
        "id",
        FirstId.at(SINCE),
        "state",
        "rejected",
        "due_at",
        SINCE,
        "started_at",
        SINCE,
        "finished_at",
        SINCE);
    assertThat(read().ended()).contains(new TenantActivity.Ended(State.REJECTED, 1));
    assertThat(read().times().jobs()).isEqualTo(4);
    assertThat(read().beats().getFirst()).isEqualTo(new TenantActivity.Slot(0, 0, 1, 0));
  }

  @Test
  void only_so_many_of_the_newest_jobs_are_looked_at() {
    rows.execute(
        """
        insert into job (tenant_id, id, wallet_id, effect_id, workflow_id, state, priority, events,
            progress, attempts, failures, interruptions, max_failures, max_interruptions,
            funding_seq, held, hold_open, captured, run_seconds, queue_seconds, review,
            safety_refund, fingerprint, created_at, due_at, started_at, finished_at, changed_at)
        select 1, cast('01990000-0000-7000-8000-' || lpad(to_hex(g), 12, '0') as uuid), 1,
            1, 1, 'expired', 0, 1, 0, 0, 0, 0, 1, 1, 1, 0,
            false, 0, 1, 1, false, false, 'f', n, n, n, n, n
        from (select timestamptz '%s' as n) t, generate_series(1, %d) g
        """
            .formatted(SINCE, TenantActivity.MOST));
    assertThat(read().ended())
        .containsExactly(new TenantActivity.Ended(State.EXPIRED, TenantActivity.MOST));
    assertThat(read().times().consumed()).isZero();
    assertThat(read().beats())
        .containsExactly(new TenantActivity.Slot(0, 0, TenantActivity.MOST, 0));
  }

  @Test
  void times_are_those_of_the_middle_job_and_nearly_the_slowest() {
    TenantActivity.Times times = read().times();
    assertThat(List.of(times.jobs(), times.consumed())).containsExactly(3L, 12L);
    assertThat(new double[] {times.waitP50(), times.waitP95(), times.runP50(), times.runP95()})
        .containsExactly(new double[] {2, 8.3, 20, 83}, within(0.001));
  }

  @Test
  void beats_are_told_slot_by_slot_from_the_moment_on() {
    over(14, "completed", "finished_at", SINCE, "captured", 3);
    over(15, "completed", "finished_at", SINCE.minusMillis(1), "captured", 50);
    assertThat(read().beats())
        .containsExactly(
            new TenantActivity.Slot(0, 1, 0, 3),
            new TenantActivity.Slot(1, 1, 0, 1),
            new TenantActivity.Slot(2, 0, 1, 2),
            new TenantActivity.Slot(9, 1, 0, 9));
  }
}
