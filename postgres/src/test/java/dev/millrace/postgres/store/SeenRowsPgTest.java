package dev.millrace.postgres.store;

import static dev.millrace.postgres.EngineRig.complete;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.ReportBatch;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Store;
import dev.millrace.postgres.EngineRig;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a node remembers of wallets never makes it take one for another. */
class SeenRowsPgTest {

  private final EngineRig rig = EngineRig.open();
  private final Store store = rig.database().store();
  private final Wallet.Owner ada = rig.user("ada");

  @AfterEach
  void the_doctor_finds_nothing() {
    rig.close();
  }

  @Test
  void a_wallet_whose_making_was_rolled_back_is_made_again() {
    assertThatThrownBy(() ->
            store.transact(tx -> {
              tx.lockWallets(Set.of(ada));
              throw new IllegalArgumentException("on second thought");
            }))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(wallets()).isEqualTo("0");
    assertThat(lock().owner()).isEqualTo(ada);
    assertThat(wallets()).isEqualTo("1");
  }

  @Test
  void a_wallet_that_is_gone_is_missed_once_and_then_made_again() {
    lock();
    rig.place().execute("delete from wallet");
    assertThatThrownBy(this::lock).isInstanceOf(IllegalStateException.class);
    assertThat(lock().owner()).isEqualTo(ada);
  }

  @Test
  void wallets_that_changed_hands_are_not_confused() {
    lock();
    rig.place().execute("update wallet set user_id = 'bob'");
    assertThatThrownBy(this::lock).isInstanceOf(IllegalStateException.class);
    assertThat(lock().owner()).isEqualTo(ada);
    assertThat(wallets()).isEqualTo("2");
  }

  @Test
  void results_of_jobs_that_were_leased_here_and_elsewhere_settle_together() throws Exception {
    Engine here = rig.engine(store);
    rig.pay(ada, 10);
    rig.pay(rig.user("bob"), 5);
    rig.submit(rig.order());
    rig.submit(rig.order().by(rig.user("bob")));
    rig.submit(rig.order());
    Leased elsewhere = rig.lease();
    List<Leased> mine = here.lease(rig.asking("w", 2));
    assertThat(mine).hasSize(2);
    settle(complete(mine.getFirst(), 5), complete(elsewhere, 5));
    settle(complete(mine.getLast(), 5));
    assertThat(rig.place().ask("select count(*) from job where state = 'completed'"))
        .hasToString("3");
  }

  @Test
  void a_payer_that_is_another_one_is_missed_once_and_then_looked_up() throws Exception {
    rig.pay(ada, 5);
    rig.pay(rig.user("bob"), 5);
    rig.submit(rig.order());
    Leased leased = rig.engine(store).lease(rig.asking("w", 1)).getFirst();
    String bobs = "update job set wallet_id = (select id from wallet where user_id = '%s')";
    rig.place().execute(bobs.formatted("bob") + " where state = 'running'");
    assertThatThrownBy(() -> settle(complete(leased, 5))).isInstanceOf(IllegalStateException.class);
    rig.place().execute(bobs.formatted("ada") + " where state = 'running'");
    settle(complete(leased, 5));
  }

  private void settle(Report... reports) {
    List<Report.Result> results =
        store.transact(tx -> {
          var decided = new ReportBatch(EngineRig.TIMINGS).decide(tx, List.of(reports));
          tx.write(decided.changes());
          return decided.results();
        });
    assertThat(results).hasOnlyElementsOfType(Report.Result.Done.class);
  }

  private Wallet lock() {
    return store.transact(tx -> Objects.requireNonNull(tx.lockWallets(Set.of(ada)).get(ada)));
  }

  private String wallets() {
    return String.valueOf(rig.place().ask("select count(*) from wallet"));
  }
}
