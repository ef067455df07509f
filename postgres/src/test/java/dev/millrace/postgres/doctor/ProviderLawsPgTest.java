package dev.millrace.postgres.doctor;

import static dev.millrace.postgres.PlacedRows.FOREIGN;
import static dev.millrace.postgres.PlacedRows.NOW;
import static dev.millrace.postgres.PlacedRows.TENANT;
import static dev.millrace.postgres.PlacedRows.ago;
import static dev.millrace.postgres.PlacedRows.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.postgres.PlacedRows;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What providers were told and told is in its place, and every row belongs to somebody. Job 1 was
 * lost by fal twice and taken the third time, which a callback ended; job 2 was submitted.
 */
class ProviderLawsPgTest {

  private final PlacedRows rows = PlacedRows.none();
  private final LawRows laws = new LawRows(rows);

  @BeforeEach
  void place_sound_rows() {
    rows.job(1, "state", "completed", "attempts", 3);
    rows.job(2, "state", "submitted", "attempts", 1);
    for (int number = 1; number <= 3; number++) {
      rows.attempt(
          1,
          "number",
          number,
          "token",
          id(70 + number),
          "provider",
          "fal",
          "intent_at",
          ago(40),
          "settled_before",
          number - 1,
          "ended_at",
          ago(10),
          "outcome",
          number == 3 ? "completed" : number == 1 ? "requeued" : "expired",
          "reference",
          number == 3 ? "r" : null,
          "accepted_at",
          number == 3 ? ago(40) : null);
    }
    rows.attempt(
        2, "provider", "fal", "intent_at", ago(40), "reference", "s", "accepted_at", ago(30));
    rows.row(
        "inbox",
        "provider",
        "fal",
        "event",
        "e",
        "reference",
        "r",
        "verdict",
        "applied",
        "received_at",
        ago(9),
        "judged_at",
        ago(9),
        "tenant_id",
        TENANT,
        "job_id",
        id(1));
    rows.file(1, "attempt", 3);
    rows.row("inbox", "provider", "fal", "event", "f", "reference", "s", "received_at", NOW);
  }

  private void finds(String law, String change, long found) {
    assertThat(laws.broken(law, change)).as(change).isEqualTo(found);
  }

  @Test
  void a_callback_is_judged_within_a_day() {
    rows.clock(NOW.plus(Duration.ofDays(1)));
    finds("inbox", "select 1", 0);
    rows.clock(NOW.plus(Duration.ofDays(1)).plusSeconds(1));
    finds("inbox", "select 1", 1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          select 1                                                                        | 0
          update inbox set provider = 'other' where event = 'e'                           | 1
          update inbox set reference = 'x' where event = 'e'                              | 1
          update inbox set tenant_id = 2 where event = 'e'                                | 1
          update inbox set job_id = (select id from job where state = 'submitted') where event = 'e' | 1
          update inbox set reference = 'x', verdict = 'late' where event = 'e'            | 0
          update attempt set ended_at = null where reference = 'r'                        | 1
          """)
  void a_callback_that_counted_ended_the_attempt_that_it_names(String change, long found) {
    finds("applied", change, found);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          select 1                                                                        | 0
          update attempt set intent_at = null where reference = 'r'                       | 1
          update attempt set intent_at = accepted_at + interval '1 s' where reference = 'r' | 1
          update attempt set intent_at = null where reference is null                     | 0
          update attempt set reference = null where reference = 'r'                       | 0
          update attempt set reference = null where reference = 's'                       | 1
          update attempt set reference = null, unconfirmed_at = started_at where reference = 's' | 0
          update attempt set number = 2 where reference = 's'                             | 1
          delete from attempt where reference = 's'                                       | 1
          update attempt set tenant_id = 2 where reference = 's'                          | 1
          """)
  void an_intent_stands_before_its_reference(String change, long found) {
    finds("intents", change, found);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          select 1                                                                        | 0
          update attempt set settled_before = 0 where number = 3                          | 1
          update attempt set settled_before = null where number = 3                       | 0
          update attempt set provider = 'other' where number = 2                          | 2
          update attempt set reference = 'q' where number = 2                             | 1
          update attempt set outcome = 'failed' where number = 2                          | 1
          update attempt set outcome = 'requeued' where number = 2                        | 0
          update attempt set outcome = 'lease_lost' where number = 2                      | 0
          update attempt set outcome = 'expired' where number = 3                         | 0
          """)
  void who_submits_again_knows_of_all_attempts_before_that_nobody_heard_of(
      String change, long found) {
    finds("submits", change, found);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          select 1                                                                        | 0
          update attempt set outcome = 'lease_lost' where number = 2                      | 1
          update attempt set outcome = 'lease_lost' where number = 1                      | 2
          update attempt set outcome = 'lease_lost' where number < 3                      | 3
          update attempt set outcome = case number when 1 then 'lease_lost' else 'failed' end | 1
          update attempt set outcome = case number when 1 then 'failed' else 'lease_lost' end | 1
          update attempt set outcome = 'lease_lost', reference = 'q' where number = 2     | 0
          update attempt set outcome = 'lease_lost', provider = 'x' where number = 2      | 0
          update attempt set outcome = 'lease_lost', tenant_id = 2 where number = 2       | 0
          update attempt set outcome = 'lease_lost', number = 4 where number = 2          | 0
          update attempt set outcome = 'lease_lost' where number = 2; update attempt set settled_before = null | 0
          """)
  void a_failure_is_told_between_a_call_of_a_server_that_died_and_the_next_one(
      String change, long found) {
    finds("silent", change, found);
  }

  @Test
  void failures_of_other_jobs_tell_nothing_of_a_server_that_died() {
    rows.execute("update attempt set number = number * 10 where reference is distinct from 's'");
    rows.attempt(2, "number", 15, "outcome", "failed", "token", id(90));
    rows.attempt(1, "number", 15, "outcome", "failed", "tenant_id", FOREIGN);
    finds("silent", "update attempt set outcome = 'lease_lost' where number = 10", 2);
  }

  @Test
  void what_happened_to_other_jobs_was_not_settled_before_this_one() {
    rows.attempt(2, "number", 9, "provider", "fal", "outcome", "expired", "token", id(90));
    rows.attempt(1, "number", 9, "provider", "fal", "outcome", "expired", "tenant_id", FOREIGN);
    rows.execute("update attempt set number = 0 where number = 9");
    finds("submits", "select 1", 0);
  }

  @Test
  void a_reference_names_one_attempt_of_its_provider() {
    String index = "drop index attempt_of_reference; update attempt set reference = 's' where ";
    finds("references", "select 1", 0);
    finds("references", index + "number = 2", 1);
    finds(
        "references", index + "number = 2; update attempt set provider = 'x' where number = 2", 0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          select 1                                                                        | 0
          update file set withheld = true                                                 | 1
          update file set size = 0                                                        | 1
          update file set attempt = 2                                                     | 1
          update file set tenant_id = 2                                                   | 1
          update file set job_id = (select id from job where state = 'submitted')         | 1
          update file set size = 0; update job set state = 'failed'                       | 0
          update file set size = 1                                                        | 0
          """)
  void a_completed_job_has_an_output_of_its_last_attempt(String change, long found) {
    finds("outputs", change, found);
  }

  /** Of both tenants, so that a wallet of the same number or tenant is there. */
  private void placeMoney() {
    rows.row(
        "ledger",
        "id",
        11,
        "tenant_id",
        TENANT,
        "wallet_id",
        1,
        "type",
        "payment_credit",
        "amount",
        1,
        "captured",
        0,
        "balance_after",
        1,
        "funding_seq",
        0,
        "at",
        NOW);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          select 1                                                                        | 0
          update job set wallet_id = 99 where state = 'submitted'                         | 1
          update job set wallet_id = 3 where state = 'submitted'                          | 1
          update ledger set wallet_id = 99                                                | 1
          update ledger set wallet_id = 3                                                 | 1
          update file set wallet_id = 99                                                  | 1
          update file set wallet_id = 3                                                   | 1
          """)
  void what_is_paid_for_is_paid_by_a_wallet_of_its_own_tenant(String change, long found) {
    placeMoney();
    finds("wallets", change, found);
  }

  /** Two rows of each kind that a job can have several of, and a file of nobody's. */
  private void placeChildren(int tenant) {
    rows.input(1, tenant, "{}");
    for (int seq : List.of(1, 2)) {
      rows.execute(
          """
          insert into job_event (tenant_id, job_id, seq, state, progress, attempt, at)
          values (%1$d, '%2$s', %3$d, 'queued', 0, 0, '%4$s');
          insert into ledger (tenant_id, wallet_id, type, amount, captured, balance_after,
              funding_seq, job_id, at)
          values (%1$d, 1, 'job_reserve', -1, 0, 1, %3$d, '%2$s', '%4$s')
          """
              .formatted(tenant, id(1), seq, NOW));
      rows.file(7 + seq, "tenant_id", tenant);
    }
    rows.file(7, "tenant_id", tenant, "job_id", null, "kind", "input");
  }

  @Test
  void a_row_of_a_job_belongs_to_one_that_there_is() {
    placeMoney();
    placeChildren(TENANT);
    placeChildren(FOREIGN);
    rows.attempt(1, "tenant_id", FOREIGN);
    rows.attempt(1, "tenant_id", FOREIGN, "number", 2);
    finds("children", "delete from ledger where tenant_id = 2", 4);
    finds("children", "select 1", 5);
    finds("children", "update job set tenant_id = 2 where state = 'completed'", 5);
    finds("children", "delete from job", 11);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          select 1                                                                        | 0
          update api_key set prefix = repeat('p', 17)                                     | 1
          alter table api_key drop constraint api_key_hash_check; update api_key set hash = '' | 1
          """)
  void of_a_key_no_more_is_kept_than_its_hash_and_a_short_prefix(String change, long found) {
    rows.row(
        "api_key",
        "tenant_id",
        TENANT,
        "id",
        id(1),
        "name",
        "k",
        "prefix",
        "p".repeat(16),
        "hash",
        "\\x" + "0a".repeat(32),
        "role",
        "user");
    finds("secrets", change, found);
  }
}
