package dev.millrace.postgres.tenants;

import static dev.millrace.postgres.PlacedRows.FOREIGN;
import static dev.millrace.postgres.PlacedRows.TENANT;
import static dev.millrace.postgres.PlacedRows.ago;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.postgres.PlacedRows;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A tenant's users, and what each of them has. */
class UsersPgTest {

  private final PlacedRows rows = PlacedRows.none();
  private final Users users = new Users(rows.jdbi());

  private void user(int wallet, String name) {
    rows.row("wallet", "id", wallet, "tenant_id", TENANT, "user_id", name);
  }

  private List<String> names(String prefix, String after, int limit) {
    return users.list(TENANT, prefix, after, limit).stream().map(Users.Standing::userId).toList();
  }

  @Test
  void users_are_listed_in_the_order_of_their_bytes_after_the_last_of_the_page_before() {
    user(5, "Zoe");
    user(6, "a%");
    user(7, "a_");
    assertThat(names("", "", 50)).containsExactly("Zoe", "a%", "a_", "ada", "bob");
    assertThat(names("", "a_", 50)).containsExactly("ada", "bob");
    assertThat(names("", "", 2)).containsExactly("Zoe", "a%");
    assertThat(names("a", "", 50)).containsExactly("a%", "a_", "ada");
    assertThat(names("a_", "", 50)).containsExactly("a_");
    assertThat(names("a", "a%", 1)).containsExactly("a_");
    assertThat(names("x", "", 50)).isEmpty();
    assertThat(users.list(FOREIGN, "bob", "", 50)).isEmpty();
  }

  @Test
  void a_user_is_told_with_what_his_live_jobs_hold_and_when_he_last_asked_for_one() {
    rows.execute("update wallet set balance = 10 * id, created_at = '" + ago(9_000) + "'");
    rows.execute("update wallet set active = 2, stored_bytes = 30 where id = 1");
    rows.job(1, "held", 50, "hold_open", false, "created_at", ago(300));
    rows.job(2, "held", 3, "created_at", ago(200));
    rows.job(3, "held", 50, "hold_open", false, "created_at", ago(150));
    rows.job(4, "held", 4, "created_at", ago(100));
    rows.job(5, "held", 60, "wallet_id", 3, "tenant_id", FOREIGN);
    assertThat(users.list(TENANT, "", "", 50))
        .containsExactly(
            new Users.Standing("ada", 10, 7, 2, 30L, ago(9_000), ago(100)),
            new Users.Standing("bob", 20, 0, 0, 0L, ago(9_000), ago(9_000)));
  }

  @Test
  void a_prefix_and_a_page_are_looked_up_however_many_users_there_are() {
    rows.execute(
        """
        insert into wallet (tenant_id, user_id)
        select 1, 'user-' || lpad(n::text, 6, '0')
        from generate_series(1, 20000) n
        """);
    rows.execute("analyze wallet");
    List<String> plan =
        rows.jdbi()
            .withHandle(handle ->
                handle
                    .createQuery(
                        "explain (analyze, buffers off, timing off, summary off, costs off) "
                            + statement())
                    .bind("tenant", TENANT)
                    .bind("prefix", "user-0123")
                    .bind("after", "user-012345")
                    .bind("limit", 10)
                    .mapTo(String.class)
                    .list());
    assertThat(plan).anyMatch(line -> line.contains("wallet_by_user"));
    assertThat(plan).noneMatch(line -> line.contains("Seq Scan on wallet"));
    assertThat(plan).noneMatch(line -> line.contains("Rows Removed by Filter"));
    assertThat(
            plan.stream().filter(line -> line.contains("wallet_by_user")).findFirst().orElseThrow())
        .containsPattern("rows=1[0-9](\\.00)? ");
  }

  private static String statement() {
    try {
      var list = Users.class.getDeclaredField("LIST");
      list.setAccessible(true);
      return (String) list.get(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
