package dev.millrace.postgres.tenants;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.postgres.EngineRig;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A page of tenants costs a page, however many tenants there are. */
class ThousandTenantsPgTest {

  private static final int MANY = 1_000;

  @Test
  void a_thousand_tenants_are_made_listed_and_searched_a_page_at_a_time() throws Exception {
    try (EngineRig rig = EngineRig.open()) {
      make(rig);
      list(rig.database().tenants());
      List<String> plan = plan(rig, "many-0500");
      assertThat(plan).anyMatch(line -> line.contains("Index Scan using tenant_slug_key"));
      assertThat(plan).noneMatch(line -> line.contains("Sort"));
      assertThat(plan)
          .anyMatch(line -> line.contains("tenant_slug_key") && line.contains("rows=20"));
    }
  }

  private static void make(EngineRig rig) {
    for (int number = 0; number < MANY; number++) {
      String slug = "many-%04d".formatted(number);
      assertThat(
              rig.database()
                  .tenants()
                  .add(
                      slug,
                      "Number " + number,
                      new Audit.Line(rig.acme(), "key:a", "tenant.create", slug, null, true)))
          .isPresent();
    }
    rig.place().execute("analyze tenant");
  }

  private static void list(Tenants tenants) {
    List<String> all = new ArrayList<>();
    @Nullable String after = "many-";
    int pages = 0;
    while (after != null) {
      List<TenantView> page = tenants.list("many-", after, 100);
      page.forEach(tenant -> all.add(tenant.slug()));
      after = page.size() < 100 ? null : page.getLast().slug();
      pages++;
    }
    assertThat(pages).isEqualTo(MANY / 100 + 1);
    assertThat(all).hasSize(MANY).isSorted().doesNotHaveDuplicates();
    assertThat(tenants.list("NUMBER 77", null, 50)).hasSize(11);
  }

  private static List<String> plan(EngineRig rig, String after) throws SQLException {
    String statement =
        statement()
            .replace(":after", "'" + after + "'")
            .replace(":part", "null")
            .replace(":limit", "20");
    List<String> plan = new ArrayList<>();
    try (Connection connection = rig.place().connect();
        Statement asked = connection.createStatement();
        ResultSet lines =
            asked.executeQuery(
                "explain (analyze, buffers off, timing off, summary off, costs off) "
                    + statement)) {
      while (lines.next()) {
        plan.add(lines.getString(1));
      }
    }
    return plan;
  }

  private static String statement() {
    try {
      var list = Tenants.class.getDeclaredField("LIST");
      list.setAccessible(true);
      return (String) list.get(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
