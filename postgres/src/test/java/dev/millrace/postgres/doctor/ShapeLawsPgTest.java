package dev.millrace.postgres.doctor;

import static dev.millrace.postgres.PlacedRows.NOW;
import static dev.millrace.postgres.PlacedRows.TENANT;
import static dev.millrace.postgres.PlacedRows.id;
import static dev.millrace.postgres.PlacedRows.in;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.postgres.PlacedRows;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a row may look like by itself: one row, changed in one way, and whether it is found. */
class ShapeLawsPgTest {

  private final PlacedRows rows = PlacedRows.none();
  private final LawRows laws = new LawRows(rows);

  @BeforeEach
  void place_sound_rows() {
    rows.job(1, "deadline_at", in(60));
    rows.attempt(1);
    rows.file(1);
    rows.row(
        "ledger",
        "tenant_id",
        TENANT,
        "wallet_id",
        1,
        "type",
        "job_reserve",
        "amount",
        -1,
        "captured",
        0,
        "balance_after",
        0,
        "job_id",
        id(1),
        "funding_seq",
        1,
        "at",
        NOW);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          events = 1                                                      | 0
          events = 0                                                      | 1
          progress = 100                                                  | 0
          progress = 101                                                  | 1
          held = 0                                                        | 0
          held = -1                                                       | 1
          captured = 1                                                    | 1
          delivered = 0                                                   | 0
          delivered = -1                                                  | 1
          price_rate = 0                                                  | 0
          price_rate = -1                                                 | 1
          failures = 2                                                    | 1
          interruptions = 2                                               | 1
          run_seconds = 1                                                 | 0
          run_seconds = 0                                                 | 1
          queue_seconds = 1                                               | 0
          queue_seconds = 0                                               | 1
          hold_open = false                                               | 1
          state = 'completed', hold_open = false, finished_at = due_at    | 0
          state = 'completed', hold_open = false                          | 1
          state = 'completed', finished_at = due_at                       | 1
          deleted_at = due_at                                             | 1
          cleaned_at = due_at                                             | 1
          overturned_at = due_at                                          | 1
          idempotency_key = 'k'                                           | 0
          idempotency_key = ''                                            | 1
          idempotency_key = repeat('k', 200)                              | 0
          idempotency_key = repeat('k', 201)                              | 1
          """)
  void a_job_is_found_if_its_row_can_not_be(String change, long found) {
    assertThat(laws.broken("job_rows", "update job set " + change)).isEqualTo(found);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          state = 'queued'                                                                    | 0
          state = 'queued', deadline_at = null                                                | 1
          state = 'completed'                                                                 | 1
          state = 'completed', deadline_at = null                                             | 0
          state = 'running', lease_token = id, worker = 'a', lease_expires_at = due_at        | 0
          state = 'running', lease_token = id, lease_expires_at = due_at                      | 1
          state = 'running', lease_token = id, worker = 'a'                                   | 1
          state = 'running'                                                                   | 1
          state = 'submitted'                                                                 | 0
          lease_token = id, worker = 'a', lease_expires_at = due_at                           | 1
          provider = 'p'                                                                      | 1
          state = 'running', lease_token = id, worker = 'a', lease_expires_at = due_at, provider = 'p' | 0
          """)
  void a_lease_is_found_if_its_columns_do_not_belong_together(String change, long found) {
    assertThat(laws.broken("lease_rows", "update job set " + change)).isEqualTo(found);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          number = 1                                                               | 0
          number = 0                                                               | 1
          outcome = 'x'                                                            | 1
          ended_at = started_at                                                    | 1
          ended_at = started_at, outcome = 'x'                                     | 0
          ended_at = started_at - interval '1 s', outcome = 'x'                    | 1
          provider = 'p'                                                           | 1
          provider = 'p', intent_at = started_at                                   | 0
          reference = 'r'                                                          | 1
          reference = 'r', accepted_at = started_at                                | 0
          """)
  void an_attempt_is_found_if_its_row_can_not_be(String change, long found) {
    assertThat(laws.broken("attempt_rows", "update attempt set " + change)).isEqualTo(found);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          size = 0                                                                        | 0
          size = -1                                                                       | 1
          sha256 = 'zz'                                                                   | 1
          sha256 = null                                                                   | 1
          kind = 'x', job_id = null                                                       | 1
          state = 'x'                                                                     | 1
          kind = 'input'                                                                  | 1
          kind = 'input', job_id = null                                                   | 0
          job_id = null                                                                   | 1
          withheld = true                                                                 | 0
          kind = 'input', job_id = null, withheld = true                                  | 1
          state = 'pending', expires_at = created_at                                      | 1
          kind = 'input', job_id = null, state = 'pending', expires_at = created_at       | 0
          kind = 'input', job_id = null, state = 'pending'                                | 1
          expires_at = created_at                                                         | 1
          kind = 'input', job_id = null, state = 'pending', expires_at = created_at, sha256 = null | 0
          upload_id = 'u', part_bytes = 1                                                 | 1
          kind = 'input', job_id = null, state = 'pending', expires_at = created_at, upload_id = 'u', part_bytes = 1 | 0
          kind = 'input', job_id = null, state = 'pending', expires_at = created_at, upload_id = 'u' | 1
          deleted_at = created_at                                                         | 0
          erased_at = created_at                                                          | 1
          deleted_at = created_at, erased_at = created_at                                 | 0
          """)
  void a_file_is_found_if_its_row_can_not_be(String change, long found) {
    assertThat(laws.broken("file_rows", "update file set " + change)).isEqualTo(found);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          balance_after = 0                                                | 0
          balance_after = -1                                               | 1
          amount = 0                                                       | 1
          type = 'adjustment'                                              | 1
          type = 'adjustment', job_id = null                               | 0
          type = 'adjustment', job_id = null, captured = -1                | 1
          type = 'adjustment', job_id = null, captured = 1                 | 1
          type = 'payment_credit', amount = 1                              | 1
          type = 'payment_credit', job_id = null, amount = 1               | 0
          type = 'payment_credit', job_id = null, amount = 0               | 1
          type = 'job_consume', amount = 0, captured = 1                   | 0
          type = 'job_consume', amount = 0, captured = 0                   | 1
          type = 'job_consume', amount = 1, captured = 1                   | 1
          type = 'job_refund', amount = 1                                  | 0
          type = 'job_refund', amount = 0                                  | 1
          """)
  void a_line_of_the_ledger_is_found_if_its_row_can_not_be(String change, long found) {
    assertThat(laws.broken("ledger_rows", "update ledger set " + change)).isEqualTo(found);
  }
}
