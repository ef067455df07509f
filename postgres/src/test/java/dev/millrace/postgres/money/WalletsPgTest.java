package dev.millrace.postgres.money;

import static dev.millrace.postgres.PlacedRows.FOREIGN;
import static dev.millrace.postgres.PlacedRows.NOW;
import static dev.millrace.postgres.PlacedRows.TENANT;
import static dev.millrace.postgres.PlacedRows.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.postgres.PlacedRows;
import dev.millrace.postgres.tenants.Audit;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is told of a wallet is told of that one, whoever else has the same name. */
class WalletsPgTest {

  private static final long TODAY = NOW.getEpochSecond() / Duration.ofDays(1).toSeconds();

  private final PlacedRows rows = PlacedRows.none();
  private final Wallets wallets = new Wallets(rows.jdbi());
  private final WalletLimits limits = new WalletLimits(rows.jdbi());

  @Test
  void a_balance_is_told_with_the_open_holds_of_its_own_jobs() {
    rows.execute("update wallet set balance = 10 * id");
    rows.job(1, "held", 3);
    rows.job(2, "held", 4);
    rows.job(3, "held", 50, "hold_open", false);
    rows.job(4, "held", 60, "wallet_id", 2);
    assertThat(wallets.balance(TENANT, "ada")).isEqualTo(new Wallets.Balance(10, 7));
    assertThat(wallets.balance(FOREIGN, "ada")).isEqualTo(new Wallets.Balance(30, 0));
    assertThat(wallets.balance(TENANT, "eve")).isEqualTo(new Wallets.Balance(0, 0));
  }

  private void line(int number, int wallet, int job, int tenant) {
    rows.row(
        "ledger",
        "id",
        number,
        "tenant_id",
        tenant,
        "wallet_id",
        wallet,
        "type",
        "job_reserve",
        "amount",
        -1,
        "captured",
        0,
        "balance_after",
        0,
        "job_id",
        id(job),
        "funding_seq",
        number,
        "at",
        NOW);
  }

  @Test
  void a_ledger_is_read_newest_first_after_the_last_line_of_the_page_before() {
    for (int number : List.of(3, 1, 4, 2)) {
      line(number, 1, 1, TENANT);
    }
    line(5, 2, 2, TENANT);
    line(6, 3, 3, FOREIGN);
    assertThat(ids(wallets.ledger(TENANT, "ada", null, 50))).containsExactly(4L, 3L, 2L, 1L);
    assertThat(ids(wallets.ledger(TENANT, "ada", 3L, 50))).containsExactly(2L, 1L);
    assertThat(ids(wallets.ledger(TENANT, "ada", null, 2))).containsExactly(4L, 3L);
  }

  @Test
  void the_lines_of_a_job_are_its_own_in_their_order() {
    for (int number : List.of(3, 1, 2)) {
      line(number, 1, 1, TENANT);
    }
    line(4, 1, 2, TENANT);
    line(5, 3, 1, FOREIGN);
    assertThat(ids(wallets.linesOfJob(TENANT, id(1)))).containsExactly(1L, 2L, 3L);
  }

  private static List<Long> ids(List<LedgerView> lines) {
    return lines.stream().map(LedgerView::id).toList();
  }

  private static Audit.Line line(String user) {
    return new Audit.Line(TENANT, "key:a", "limits", user, null);
  }

  @Test
  void limits_are_set_for_one_user_and_the_count_of_another_day_is_over() {
    rows.execute("update wallet set active = 3, today = 7, day = " + TODAY);
    assertThat(limits.set(1, 2, 5L, line("ada")))
        .isEqualTo(new WalletLimits.Standing(1, 2, 5L, 3, 7));
    assertThat(limits.find(TENANT, "ada")).isEqualTo(new WalletLimits.Standing(1, 2, 5L, 3, 7));
    assertThat(limits.find(TENANT, "bob")).isEqualTo(unset(3, 7));
    assertThat(limits.find(FOREIGN, "ada")).isEqualTo(unset(3, 7));
    rows.clock(NOW.plus(Duration.ofDays(1)));
    assertThat(limits.find(TENANT, "bob")).isEqualTo(unset(3, 0));
    assertThat(limits.set(null, null, null, line("ada"))).isEqualTo(unset(3, 0));
  }

  private static WalletLimits.Standing unset(int active, int today) {
    @Nullable Integer none = null;
    return new WalletLimits.Standing(none, none, null, active, today);
  }

  @Test
  void who_has_no_wallet_gets_one_with_the_limits() {
    assertThat(limits.find(TENANT, "new")).isEqualTo(unset(0, 0));
    assertThat(limits.set(4, null, null, line("new")).activeJobs()).isEqualTo(4);
    assertThat(limits.find(TENANT, "new").activeJobs()).isEqualTo(4);
  }
}
