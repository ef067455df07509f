package dev.millrace.postgres.doctor;

import static dev.millrace.postgres.PlacedRows.FOREIGN;
import static dev.millrace.postgres.PlacedRows.NOW;
import static dev.millrace.postgres.PlacedRows.TENANT;
import static dev.millrace.postgres.PlacedRows.ago;
import static dev.millrace.postgres.PlacedRows.id;
import static dev.millrace.postgres.PlacedRows.in;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.postgres.PlacedRows;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A live job and its place in a queue say the same, and nothing waits for too long. */
class DispatchLawsPgTest {

  private final PlacedRows rows = PlacedRows.none();
  private final LawRows laws = new LawRows(rows);

  /** Job 1 waits and job 2 runs; job 3 is over, and another tenant's jobs have the same ids. */
  @BeforeEach
  void place_sound_rows() {
    rows.job(1, "deadline_at", in(60));
    rows.dispatch(1, "deadline_at", in(60));
    rows.job(
        2,
        "state",
        "running",
        "deadline_at",
        in(60),
        "lease_token",
        id(5),
        "worker",
        "a",
        "lease_expires_at",
        in(30));
    rows.dispatch(
        2, "state", "running", "deadline_at", in(60), "lease_token", id(5), "worker", "a");
    rows.job(3, "state", "completed", "finished_at", NOW);
    rows.job(1, "tenant_id", FOREIGN, "state", "completed", "finished_at", NOW);
  }

  private void finds(String law, String change, long found) {
    assertThat(laws.broken(law, change)).as(change).isEqualTo(found);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          select 1                                                                        | 0
          update dispatch set state = 'pending' where worker is null                      | 1
          update dispatch set workflow_id = 2 where worker is null                        | 1
          update dispatch set effect_id = 2 where worker is null                          | 1
          update dispatch set due_at = deadline_at where worker is null                   | 1
          update dispatch set deadline_at = due_at where worker is null                   | 1
          update dispatch set lease_token = job_id where worker is not null               | 1
          update dispatch set worker = 'b' where worker is not null                       | 1
          update dispatch set provider = 'p' where worker is not null                     | 1
          delete from dispatch where worker is null                                       | 1
          update job set finished_at = due_at where worker is not null                    | 1
          update job set finished_at = null where state = 'completed' and tenant_id = 1   | 1
          """)
  void a_live_job_and_its_dispatch_say_the_same(String change, long found) {
    finds("places", change, found);
  }

  @Test
  void a_namesake_of_another_tenant_has_its_own_place() {
    rows.job(2, "tenant_id", FOREIGN, "deadline_at", in(9));
    rows.dispatch(2, "tenant_id", FOREIGN, "deadline_at", in(9));
    finds("places", "select 1", 0);
  }

  @Test
  void a_place_without_a_job_is_named_by_its_own_ids() {
    rows.dispatch(9);
    assertThat(laws.find("places", "select 1").examples())
        .singleElement()
        .satisfies(row -> assertThat(row).containsEntry("tenant_id", TENANT))
        .satisfies(row -> assertThat(row).containsEntry("job_id", id(9)));
  }

  @Test
  void a_lease_is_late_when_it_ended_more_than_a_minute_ago() {
    finds("expired_leases", "select 1", 0);
    rows.clock(in(90));
    finds("expired_leases", "select 1", 0);
    rows.job(4, "lease_expires_at", NOW);
    rows.dispatch(4);
    rows.job(2, "tenant_id", FOREIGN, "lease_expires_at", ago(9));
    rows.clock(in(89));
    finds("expired_leases", "select 1", 0);
    rows.clock(in(91));
    finds("expired_leases", "select 1", 1);
  }

  @Test
  void a_deadline_is_late_when_it_was_more_than_a_minute_ago() {
    rows.clock(in(120));
    finds("deadlines", "select 1", 0);
    rows.clock(in(121));
    finds("deadlines", "select 1", 2);
  }

  @Test
  void what_waits_while_it_is_paused_or_was_just_resumed_may_be_late() {
    rows.clock(in(121));
    String effect = "update effect set %s = '%s' where id = 1";
    String workflow = "update workflow set %s = '%s' where id = 1";
    finds("deadlines", effect.formatted("paused_at", NOW), 1);
    finds("deadlines", workflow.formatted("paused_at", NOW), 1);
    finds("deadlines", effect.formatted("resumed_at", in(121 - 3659)), 1);
    finds("deadlines", effect.formatted("resumed_at", in(121 - 3660)), 2);
    finds("deadlines", workflow.formatted("resumed_at", in(121 - 3659)), 1);
    finds(
        "deadlines",
        effect.formatted("resumed_at", ago(9999))
            + ";"
            + workflow.formatted("resumed_at", in(121 - 3659)),
        1);
    finds("deadlines", effect.replace("id = 1", "id = 3").formatted("paused_at", NOW), 2);
    finds("deadlines", workflow.replace("id = 1", "id = 3").formatted("paused_at", NOW), 2);
  }

  @Test
  void a_key_has_one_job_of_its_wallet() {
    String same = "drop index job_once_per_key; update job set idempotency_key = 'k'";
    finds("keys", "select 1", 0);
    finds("keys", same + " where worker is not null", 0);
    finds("keys", same + " where tenant_id = 1", 1);
    finds("keys", same, 1);
  }

  @Test
  void an_endpoint_that_is_well_is_told_within_the_hour() {
    for (int tenant : new int[] {TENANT, FOREIGN}) {
      webhook(1, tenant);
      webhook(2, tenant);
    }
    rows.row(
        "webhook_delivery",
        "tenant_id",
        TENANT,
        "webhook_id",
        id(1),
        "message",
        "msg_1",
        "type",
        "a",
        "payload",
        "{}",
        "next_at",
        NOW,
        "give_up_at",
        in(9));
    rows.clock(NOW.plus(Duration.ofHours(1)));
    finds("webhooks_sent", "select 1", 0);
    rows.clock(NOW.plus(Duration.ofHours(1)).plusSeconds(1));
    finds("webhooks_sent", "select 1", 1);
    finds("webhooks_sent", "update webhook_delivery set state = 'held'", 0);
    finds("webhooks_sent", "update webhook set failing_since = since where tenant_id = 2", 1);
    finds(
        "webhooks_sent",
        "update webhook set failing_since = since where tenant_id = 1 and id = '%s'"
            .formatted(id(1)),
        0);
  }

  private void webhook(int number, int tenant) {
    rows.row(
        "webhook",
        "tenant_id",
        tenant,
        "id",
        id(number),
        "url",
        "http://a",
        "events",
        "{*}",
        "secret_hash",
        "\\x" + "0a".repeat(32),
        "since",
        ago(90),
        "asked_at",
        ago(90));
  }

  private void event(
      int tenant, int seq, @Nullable String trigger, @Nullable String from, String state, int age) {
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
        0,
        "at",
        ago(age));
  }

  private static String delivery(int tenant, int webhook, int seq) {
    return "insert into webhook_delivery (tenant_id, webhook_id, message, type, payload, give_up_at)"
        + " values (%d, '%s', 'msg_%s_%d', 'a', '{}', '%s')"
            .formatted(tenant, id(webhook), id(1).toString().replace("-", ""), seq, NOW);
  }

  @Test
  void what_happened_before_the_cursor_is_told_to_whoever_asked_for_it() {
    webhook(1, TENANT);
    rows.row("webhook_cursor", "read_before", ago(10));
    event(TENANT, 1, "submit", null, "queued", 90);
    event(TENANT, 2, "lease", "queued", "running", 91);
    event(TENANT, 3, "complete", "running", "completed", 10);
    event(TENANT, 4, null, "running", "running", 50);
    event(FOREIGN, 5, "submit", null, "queued", 50);
    finds("webhooks_told", "select 1", 1);
    finds("webhooks_told", delivery(TENANT, 1, 1), 0);
    finds("webhooks_told", delivery(TENANT, 1, 2), 1);
    finds("webhooks_told", "update webhook set disabled_at = since, disabled_for = 'gone'", 0);
    webhook(1, FOREIGN);
    webhook(2, TENANT);
    rows.execute("update webhook set events = '{job.canceled}' where id = '%s'".formatted(id(2)));
    finds("webhooks_told", "select 1", 2);
    finds("webhooks_told", delivery(FOREIGN, 1, 1), 2);
    finds("webhooks_told", delivery(TENANT, 2, 1), 2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          events = '{job.created}'                                          | 1
          events = '{job.progress}'                                         | 1
          events = '{job.completed}'                                        | 1
          events = '{job.blocked}'                                          | 1
          events = '{job.queued}'                                           | 0
          events = '{*}'                                                    | 3
          events = '{*,job.progress}'                                       | 4
          events = '{*}', since = since + interval '45 s'                   | 2
          events = '{*}', asked_at = asked_at + interval '45 s'             | 2
          events = '{*}', since = since - interval '1 day', asked_at = since - interval '1 day' | 3
          """)
  void an_endpoint_is_told_what_it_asked_for(String change, long found) {
    webhook(1, TENANT);
    rows.row("webhook_cursor", "read_before", NOW);
    event(TENANT, 1, "submit", null, "queued", 50);
    event(TENANT, 2, null, "running", "running", 40);
    event(TENANT, 3, "complete", "running", "completed", 40);
    event(TENANT, 4, "submit", null, "blocked", 40);
    event(TENANT, 5, "submit", null, "queued", 3601);
    finds("webhooks_told", "update webhook set " + change, found);
  }
}
