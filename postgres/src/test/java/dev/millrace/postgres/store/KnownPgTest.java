package dev.millrace.postgres.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Store;
import dev.millrace.postgres.Mill;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a node remembers of wallets never makes it take one for another. */
class KnownPgTest {

  private final Mill mill = Mill.open();
  private final Store store = mill.database().store();
  private final Wallet.Owner ada = mill.user("ada");

  @AfterEach
  void the_doctor_finds_nothing() {
    mill.close();
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
    mill.place().execute("delete from wallet");
    assertThatThrownBy(this::lock).isInstanceOf(IllegalStateException.class);
    assertThat(lock().owner()).isEqualTo(ada);
  }

  @Test
  void wallets_that_changed_hands_are_not_confused() {
    lock();
    mill.place().execute("update wallet set user_id = 'bob'");
    assertThatThrownBy(this::lock).isInstanceOf(IllegalStateException.class);
    assertThat(lock().owner()).isEqualTo(ada);
    assertThat(wallets()).isEqualTo("2");
  }

  private Wallet lock() {
    return store.transact(tx -> Objects.requireNonNull(tx.lockWallets(Set.of(ada)).get(ada)));
  }

  private String wallets() {
    return String.valueOf(mill.place().ask("select count(*) from wallet"));
  }
}
