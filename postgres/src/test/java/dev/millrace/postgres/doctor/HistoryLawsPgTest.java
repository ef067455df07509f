package dev.millrace.postgres.doctor;

import static dev.millrace.postgres.PlacedRows.FOREIGN;
import static dev.millrace.postgres.PlacedRows.TENANT;
import static dev.millrace.postgres.PlacedRows.ago;
import static dev.millrace.postgres.PlacedRows.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.postgres.PlacedRows;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Job 1 failed once and was completed, and so was another tenant's with the same id; job 2 waits.
 * Each break in a history is found, and what belongs to another job hides none.
 */
class HistoryLawsPgTest {

  private static final String OF_JOB = " where tenant_id = 1 and job_id = '" + id(1) + "'";
  private static final String ARCHIVED =
      "insert into archive (month, job_before, lines, events) values ('2025-01-01', '%s', 0, 0);";

  private final PlacedRows rows = PlacedRows.none();
  private final LawRows laws = new LawRows(rows);

  @BeforeEach
  void place_sound_rows() {
    for (int tenant : List.of(TENANT, FOREIGN)) {
      rows.job(
          1, "tenant_id", tenant, "state", "completed", "events", 6, "attempts", 2, "failures", 1);
      event(tenant, 1, "submit", null, "queued");
      event(tenant, 2, "lease", "queued", "running");
      event(tenant, 3, "retryable_error", "running", "pending");
      event(tenant, 4, "lease", "pending", "running");
      event(tenant, 5, null, "running", "running");
      event(tenant, 6, "complete", "running", "completed");
      rows.attempt(
          1, "tenant_id", tenant, "outcome", "failed", "started_at", ago(9), "ended_at", ago(8));
      rows.attempt(
          1,
          "tenant_id",
          tenant,
          "number",
          2,
          "token",
          id(5),
          "outcome",
          "completed",
          "started_at",
          ago(8),
          "ended_at",
          ago(7));
    }
    rows.job(2);
    rows.row(
        "job_event",
        "tenant_id",
        TENANT,
        "job_id",
        id(2),
        "seq",
        1,
        "trigger",
        "submit",
        "state",
        "queued",
        "progress",
        0,
        "attempt",
        0,
        "at",
        ago(99));
  }

  private void event(
      int tenant, int seq, @Nullable String trigger, @Nullable String from, String state) {
    rows.row(
        "job_event",
        "tenant_id",
        tenant,
        "job_id",
        id(1),
        "seq",
        seq,
        "trigger",
        trigger,
        "from_state",
        from,
        "state",
        state,
        "progress",
        0,
        "attempt",
        1,
        "at",
        ago(20 - seq));
  }

  /** In a change, the tenant's own job 1 and its attempts are named by a word. */
  private void finds(String law, String change, long found) {
    String sql =
        change
            .replace("{job}", "tenant_id = 1 and attempts = 2")
            .replace("{first}", "tenant_id = 1 and number = 1")
            .replace("{second}", "tenant_id = 1 and number = 2");
    assertThat(laws.broken(law, sql)).as(change).isEqualTo(found);
  }

  private static String events(String set, int seq) {
    return "update job_event set " + set + OF_JOB + " and seq = " + seq;
  }

  /** What breaks a law is forgiven where the history was archived, and only there. */
  private void findsUntilArchived(String law, String change) {
    finds(law, change, 1);
    finds(law, change + ";" + ARCHIVED.formatted(id(1)), 1);
    finds(law, change + ";" + ARCHIVED.formatted(new UUID(id(1).getMostSignificantBits(), -1)), 0);
  }

  @Test
  void an_events_state_begins_where_the_one_before_ended() {
    finds("edges", "select 1", 0);
    findsUntilArchived("edges", events("from_state = 'queued'", 6));
    finds("edges", events("from_state = 'failed'", 5), 1);
    finds(
        "edges", events("state = 'canceling'", 5) + ";" + events("from_state = 'canceling'", 6), 1);
    finds("edges", events("trigger = 'cancel'", 6), 1);
    finds("edges", events("trigger = 'safety_filter'", 6), 1);
    finds("edges", events("state = 'failed'", 6), 1);
    finds("edges", events("trigger = 'due'", 1), 1);
    finds("edges", events("from_state = 'pending'", 4) + ";" + events("state = 'queued'", 3), 2);
  }

  @Test
  void nothing_happens_after_the_end_but_a_second_life() {
    finds("ends", "select 1", 0);
    findsUntilArchived("ends", events("state = 'completed'", 4));
    finds("ends", events("state = 'failed'", 3), 1);
    finds("ends", events("state = 'failed'", 3) + ";" + events("trigger = 'retry_in_place'", 4), 0);
    finds("ends", events("state = 'failed'", 4) + ";" + events("trigger = 'retry_in_place'", 5), 0);
    finds("ends", events("state = 'failed'", 4) + ";" + events("trigger = 'retry_in_place'", 3), 1);
  }

  @Test
  void a_job_has_as_many_events_as_it_says_numbered_to_the_last() {
    finds("gaps", "select 1", 0);
    findsUntilArchived("gaps", "delete from job_event" + OF_JOB + " and seq = 3");
    finds("gaps", "update job_event set seq = 7" + OF_JOB + " and seq = 6", 1);
    finds("gaps", "delete from job_event" + OF_JOB, 1);
  }

  @Test
  void a_job_is_where_its_last_event_is() {
    rows.job(3, "state", "pending");
    rows.row(
        "job_event",
        "tenant_id",
        TENANT,
        "job_id",
        id(3),
        "seq",
        1,
        "trigger",
        "submit",
        "state",
        "pending",
        "progress",
        0,
        "attempt",
        0,
        "at",
        ago(99));
    finds("last_states", "select 1", 0);
    findsUntilArchived(
        "last_states", "update job set state = 'failed' where tenant_id = 1 and attempts = 2");
    finds("last_states", "delete from job_event" + OF_JOB + " and seq = 6", 1);
    finds("last_states", events("state = 'failed'", 6), 1);
  }

  @Test
  void times_do_not_go_back_from_one_event_to_the_next() {
    finds("clocks", "select 1", 0);
    findsUntilArchived("clocks", events("at = at - interval '2 s'", 3));
    finds("clocks", events("at = at - interval '1 s'", 3), 0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          select 1                                                               | 0
          update job set attempts = 3 where {job}                                | 1
          update attempt set number = 3 where {second}                           | 1
          delete from attempt where {first}                                      | 1
          update attempt set number = 3 where {second}; update job set attempts = 3 where {job} | 1
          update job set attempts = 1 where tenant_id = 1 and attempts = 0       | 1
          update job set failures = 2, max_failures = 2 where {job}              | 1
          update job set failures = 0 where {job}                                | 0
          update job set interruptions = 1 where {job}                           | 1
          update job set max_failures = 0 where {job}                            | 1
          update attempt set outcome = 'requeued' where {second}; update job set interruptions = 1 where {job} | 0
          update attempt set outcome = 'lease_lost' where {second}               | 1
          update attempt set outcome = 'expired' where {first}                   | 1
          """)
  void tries_are_counted_as_the_attempts_of_the_job_say(String change, long found) {
    finds("tries", change, found);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          select 1                                                               | 0
          update attempt set ended_at = ended_at + interval '1 s' where tenant_id = 1 | 1
          update attempt set ended_at = null, outcome = null where {first}       | 1
          update attempt set ended_at = null, outcome = null where {second}      | 0
          update attempt set ended_at = ended_at + interval '1 s' where number = 2 | 0
          """)
  void an_attempt_ends_before_the_next_begins(String change, long found) {
    finds("leases", change, found);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          select 1                                                               | 0
          update attempt set outcome = 'completed' where {first}                 | 1
          update attempt set outcome = 'completed' where {first}; update job set funding_seq = 2 | 0
          update attempt set ended_at = null, outcome = null where {second}      | 1
          """)
  void an_open_attempt_has_its_jobs_lease_and_a_result_is_the_last_attempts(
      String change, long found) {
    finds("tokens", change, found);
  }

  @Test
  void interruptions_have_a_most_of_their_own() {
    String interrupted =
        "update attempt set outcome = 'requeued' where {second};"
            + "update job set interruptions = 1, max_interruptions = %d where {job}";
    finds("tries", interrupted.formatted(1), 0);
    finds("tries", interrupted.formatted(0), 1);
  }

  @Test
  void an_open_attempt_may_have_its_jobs_lease() {
    finds(
        "tokens",
        "update attempt set ended_at = null, outcome = null where {second};"
            + "update job set lease_token = '%s' where {job}".formatted(id(5)),
        0);
  }
}
