package dev.millrace.postgres.doctor;

import static dev.millrace.postgres.PlacedRows.FOREIGN;
import static dev.millrace.postgres.PlacedRows.NOW;
import static dev.millrace.postgres.PlacedRows.TENANT;
import static dev.millrace.postgres.PlacedRows.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.postgres.PlacedRows;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Ada paid 20. Job 1 cost 3 of 5 and has ended, job 2 holds 7, job 3 was blocked. What breaks one
 * sum or count is found, and what belongs to another job, wallet or time is not counted.
 */
class MoneyLawsPgTest {

  private static final String ARCHIVED =
      "insert into archive (month, job_before, lines, events) values ('2025-01-01', '%s', 0, 0);";

  private final PlacedRows rows = PlacedRows.none();
  private final LawRows laws = new LawRows(rows);

  @BeforeEach
  void place_sound_rows() {
    rows.job(1, "state", "completed", "hold_open", false, "captured", 3);
    rows.job(2, "held", 7);
    rows.job(3, "state", "blocked", "hold_open", false, "held", 0, "funding_seq", 0);
    line(11, "payment_credit", 20, 0, 20, 0);
    line(12, "job_reserve", -5, 0, 15, 1);
    line(13, "job_consume", 0, 3, 15, 1);
    line(14, "job_refund", 2, 0, 17, 1);
    line(15, "job_reserve", -7, 0, 10, 2);
    rows.execute("update wallet set balance = 10, active = 1 where id = 1");
  }

  private void line(int number, String type, int amount, int captured, int after, int job) {
    rows.row(
        "ledger",
        "id",
        number,
        "tenant_id",
        TENANT,
        "wallet_id",
        1,
        "type",
        type,
        "amount",
        amount,
        "captured",
        captured,
        "balance_after",
        after,
        "job_id",
        job == 0 ? null : id(job),
        "funding_seq",
        job == 0 ? 0 : 1,
        "at",
        NOW);
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
          update wallet set balance = 9 where id = 1                                      | 1
          update wallet set balance = 1 where id = 2                                      | 1
          update wallet set balance = 4, archived = 4 where id = 2                        | 0
          update wallet set balance = 9, archived = -1 where id = 1                       | 0
          {unchecked}; update wallet set balance = -1, archived = -1 where id = 2       | 1
          """)
  void a_balance_is_what_was_archived_and_the_sum_of_its_own_lines(String change, long found) {
    String unchecked = "alter table wallet drop constraint wallet_balance_check";
    finds("balances", change.replace("{unchecked}", unchecked), found);
  }

  @Test
  void a_wallet_without_lines_has_a_sum_too() {
    assertThat(laws.find("balances", "update wallet set balance = 1 where id = 2").examples())
        .singleElement()
        .satisfies(row -> assertThat(row.get("ledger_sum")).hasToString("0"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          select 1                                                                        | 0
          update ledger set balance_after = 16 where id = 13                              | 1
          update wallet set archived = 1 where id = 2                                     | 0
          update wallet set archived = 1 where id = 1                                     | 5
          update ledger set balance_after = 0 where id = 11; update wallet set archived_line = 11 where id = 1 | 0
          update ledger set balance_after = 0 where id = 11; update wallet set archived_line = 10 where id = 1 | 1
          """)
  void each_line_says_what_there_was_after_it(String change, long found) {
    finds("running_balances", change, found);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          select 1                                                                        | 0
          update wallet set balance = 9 where id = 1                                      | 1
          update job set hold_open = true where held = 5                                  | 1
          update ledger set captured = 4 where id = 13                                    | 1
          update ledger set type = 'adjustment' where id = 11                             | 0
          update ledger set type = 'adjustment' where id = 14                             | 1
          update wallet set archived = 3, balance = 13 where id = 1                       | 0
          delete from ledger; delete from job; update wallet set balance = 0              | 0
          delete from ledger; delete from job                                             | 1
          delete from job; delete from ledger where id > 11                               | 1
          delete from ledger; delete from job where held <> 7; update wallet set balance = 0 | 1
          delete from wallet; delete from ledger where id > 11; delete from job           | 1
          """)
  void what_was_paid_is_somewhere(String change, long found) {
    finds("totals", change, found);
  }

  @Test
  void a_funding_is_reserved_once_and_settled_once() {
    String twice =
        "drop index ledger_once_per_funding; insert into ledger (tenant_id, wallet_id,"
            + " type, amount, captured, balance_after, job_id, funding_seq, at) select tenant_id,"
            + " wallet_id, type, %s, %s, balance_after, job_id, funding_seq, at from ledger where id = %d";
    finds("fundings", "select 1", 0);
    finds("fundings", "delete from ledger where id = 12", 1);
    finds("fundings", "delete from ledger where id = 13", 1);
    finds("fundings", "delete from ledger where id in (13, 14)", 0);
    finds("fundings", twice.formatted("amount", "captured", 15), 1);
    finds("fundings", twice.formatted("0", "0", 13), 1);
    finds("fundings", twice.formatted("0", "0", 14), 1);
    finds("fundings", "update ledger set amount = 3 where id = 14", 1);
    finds("fundings", "delete from ledger where id = 12;" + ARCHIVED.formatted(id(2)), 0);
    finds("fundings", "delete from ledger where id = 12;" + ARCHIVED.formatted(id(1)), 1);
    finds("fundings", "update ledger set type = 'adjustment' where id = 15", 1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          select 1                                                                        | 0
          update job set held = 8 where held = 7                                          | 1
          update ledger set amount = -8 where id = 15                                     | 1
          update ledger set captured = 1 where id = 15                                    | 0
          delete from ledger where id = 15                                                | 1
          delete from ledger where id = 15; update job set held = 0 where held = 7        | 0
          delete from ledger; update job set held = 0, captured = 0                       | 0
          delete from ledger where id = 14                                                | 1
          update job set captured = 2 where held = 5                                      | 1
          update ledger set captured = 2 where id = 13                                    | 1
          update ledger set amount = 1 where id = 14                                      | 1
          delete from ledger where id = 13                                                | 1
          update job set hold_open = true where held = 5                                  | 1
          update ledger set type = 'adjustment', funding_seq = 1 where id = 11            | 0
          update job set held = 1 where held = 0                                          | 1
          update job set funding_seq = 1 where held = 0                                   | 1
          update job set state = 'failed', funding_seq = 1 where held = 0                 | 0
          update ledger set tenant_id = 2 where id = 15                                   | 1
          update ledger set funding_seq = 2 where id = 15                                 | 1
          """)
  void a_hold_is_what_the_ledger_says_of_its_job_and_its_funding(String change, long found) {
    finds("holds", change, found);
  }

  @Test
  void a_hold_may_be_taken_whole_or_given_back_whole() {
    String captured = "update job set captured = %d where held = 5;";
    finds(
        "holds",
        captured.formatted(5)
            + "update ledger set captured = 5 where id = 13; delete from ledger where id = 14",
        0);
    finds(
        "holds",
        captured.formatted(0)
            + "update ledger set amount = 5 where id = 14; delete from ledger where id = 13",
        0);
  }

  @Test
  void a_hold_that_was_settled_in_an_archived_month_is_not_looked_for() {
    String gone = "delete from ledger where id < 15;";
    finds("holds", gone, 1);
    finds("holds", gone + ARCHIVED.formatted(id(1)), 1);
    finds("holds", gone + ARCHIVED.formatted(id(2)), 0);
    finds("holds", "update job set held = 1 where held = 0;" + ARCHIVED.formatted(id(9)), 1);
  }

  @Test
  void an_open_hold_is_settled_by_no_line_and_a_closed_one_by_its_own_lines_only() {
    line(16, "job_consume", 0, 0, 0, 2);
    finds("holds", "select 1", 1);
    finds("holds", "delete from ledger where id = 16", 0);
    rows.execute("delete from ledger where id = 16");
    rows.job(1, "tenant_id", FOREIGN, "held", 0);
    finds("holds", "select 1", 0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          select 1                                                                        | 0
          update wallet set active = 0 where id = 1                                       | 1
          update wallet set active = 1 where id = 2                                       | 1
          update wallet set active = 2 where id = 1                                       | 1
          update job set hold_open = true                                                 | 1
          """)
  void a_wallet_counts_its_own_live_jobs(String change, long found) {
    finds("active", change, found);
  }
}
