package dev.millrace.postgres.history;

import static dev.millrace.postgres.EngineRig.complete;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.postgres.EngineRig;
import dev.millrace.postgres.history.History.Archived;
import dev.millrace.postgres.history.History.Disposal;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.SqlLogger;
import org.jdbi.v3.core.statement.StatementContext;
import org.jdbi.v3.postgres.PostgresPlugin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** A month is archived however long it takes, and nobody's wallet waits while it is added up. */
class LargeMonthPgTest {

  /** A statement of the archiving takes longer than a request's statement may. */
  private static final String SLOW_WALLETS =
      """
      create function slow() returns trigger language plpgsql as $$
      begin
          perform pg_sleep(1);
          return new;
      end $$;
      create trigger slow before update on wallet for each statement execute function slow()
      """;

  private final EngineRig rig = EngineRig.open();
  private final List<String> asked = new ArrayList<>();
  private YearMonth next;
  private History history;

  @BeforeEach
  void spend() throws Exception {
    PGSimpleDataSource hasty = (PGSimpleDataSource) rig.place().dataSource();
    hasty.setOptions("-c statement_timeout=500ms");
    Jdbi jdbi = Jdbi.create(hasty).installPlugin(new PostgresPlugin());
    jdbi.setSqlLogger(
        new SqlLogger() {
          @Override
          public void logBeforeExecution(StatementContext context) {
            asked.add(String.valueOf(context.getRenderedSql()));
          }
        });
    history = new History(jdbi);
    next = history.month().plusMonths(1);
    rig.pay(rig.user("ada"), 10);
    rig.submit(rig.order().in(next));
    rig.report(complete(rig.lease(), 4));
  }

  @AfterEach
  void the_doctor_finds_nothing() {
    rig.close();
  }

  @Test
  void a_month_takes_longer_than_a_request_may() {
    rig.place().execute(SLOW_WALLETS);
    assertThat(history.archive(next.plusMonths(1), Disposal.DROP))
        .extracting(Archived::month)
        .contains(next);
    rig.place().execute("drop trigger slow on wallet");
  }

  @Test
  void a_month_is_added_up_before_a_wallet_is_locked() {
    assertThat(history.archive(next.plusMonths(1), Disposal.DROP)).isNotEmpty();
    assertThat(first("sum(amount)")).isNotNegative().isLessThan(first("for update"));
    assertThat(asked.subList(first("for update"), asked.size()))
        .noneMatch(sql -> sql.contains("sum("));
  }

  private int first(String words) {
    for (int i = 0; i < asked.size(); i++) {
      if (asked.get(i).contains(words)) {
        return i;
      }
    }
    return -1;
  }
}
