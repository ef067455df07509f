package dev.millrace.postgres.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Store;
import dev.millrace.postgres.Crowd;
import dev.millrace.postgres.EngineRig;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What callers learn when a transaction breaks, and what is true then. */
class BrokenTransactionPgTest {

  private static final String KILL =
      """
      select count(pg_terminate_backend(pid, 5000))
      from pg_stat_activity
      where datname = current_database()
        and application_name = 'millrace'
        and (state = 'idle in transaction' or wait_event_type = 'Lock')
      """;

  private final EngineRig rig = EngineRig.open();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  @AfterEach
  void the_doctor_finds_nothing() {
    threads.close();
    rig.close();
  }

  @Test
  void a_connection_that_breaks_before_the_commit_is_a_rollback() {
    Store store = rig.database().store();
    assertThatThrownBy(() ->
            store.transact(tx -> {
              tx.lockWallets(Set.of(rig.user("ghost")));
              assertThat(rig.place().ask(KILL)).isEqualTo("1");
              return tx.lockJobs(Set.of());
            }))
        .isInstanceOf(Store.RolledBack.class);
    assertThat(wallets()).isEqualTo("0");
  }

  @Test
  void a_connection_that_breaks_at_the_commit_leaves_the_outcome_unknown() {
    Store store = rig.database().store();
    assertThatThrownBy(() ->
            store.transact(tx -> {
              tx.lockWallets(Set.of(rig.user("ghost")));
              return String.valueOf(rig.place().ask(KILL));
            }))
        .isInstanceOf(Store.OutcomeUnknown.class);
    assertThat(wallets()).isEqualTo("0");
  }

  @Test
  void a_commit_whose_answer_was_lost_is_unknown_and_a_key_finds_the_job() throws Exception {
    rig.pay(rig.user("ada"), 100);
    SubmitJob order = rig.order().key("k", "f").build();
    Engine deaf = rig.engine(new PgStore(losingTheAnswerOfCommits()));
    assertThatThrownBy(() -> deaf.submit(order)).isInstanceOf(Store.OutcomeUnknown.class);
    assertThat(rig.engine().submit(order)).isEqualTo(new SubmitJob.Result.Replayed(order.jobId()));
    assertThat(rig.balance(rig.user("ada"))).isEqualTo(95);
  }

  @Test
  void trouble_after_the_commit_does_not_look_like_a_rollback() {
    Store store = new PgStore(failingToClose());
    Map<Wallet.Owner, Wallet> locked =
        store.transact(tx -> tx.lockWallets(Set.of(rig.user("kept"))));
    assertThat(locked).hasSize(1);
    assertThat(wallets()).isEqualTo("1");
  }

  @Test
  void a_submit_whose_backend_is_killed_while_it_waits_can_be_repeated() throws Exception {
    rig.pay(rig.user("ada"), 100);
    SubmitJob order = rig.order().build();
    Future<SubmitJob.Result> waiting;
    try (var _ = rig.block("select 1 from wallet for update")) {
      waiting = threads.submit(() -> rig.engine().submit(order));
      rig.awaitLockWaits(1);
      assertThat(rig.place().ask(KILL)).isEqualTo("1");
      assertThatThrownBy(waiting::get).hasCauseInstanceOf(Store.RolledBack.class);
    }
    assertThat(rig.place().ask("select count(*) from job")).isEqualTo("0");
    EngineRig.accepted(rig.engine().submit(order));
    assertThat(rig.balance(rig.user("ada"))).isEqualTo(95);
  }

  @Test
  void a_deadlock_is_run_again() {
    AtomicInteger runs = new AtomicInteger();
    rig.database()
        .store()
        .transact(tx -> {
          tx.lockWallets(Set.of(rig.user("ada")));
          if (runs.incrementAndGet() < 3) {
            throw new PgTransaction.Failed(new SQLException("deadlock", "40P01"));
          }
          return runs;
        });
    assertThat(runs).hasValue(3);
    assertThat(wallets()).isEqualTo("1");
  }

  @Test
  void a_command_that_the_database_refuses_fails_alone() throws Exception {
    rig.pay(rig.user("ada"), 1000);
    List<String> answers =
        Crowd.of(
            60,
            i ->
                () -> {
                  String input = i == 30 ? "{\"prompt\": \"\\u0000\"}" : "{\"n\": " + i + "}";
                  try {
                    return rig.engine()
                        .submit(rig.order().input(input).build())
                        .getClass()
                        .getSimpleName();
                  } catch (Store.RolledBack e) {
                    return "refused";
                  }
                });
    assertThat(answers).filteredOn("refused"::equals).hasSize(1);
    assertThat(answers.get(30)).isEqualTo("refused");
    assertThat(answers).filteredOn("Accepted"::equals).hasSize(59);
    assertThat(rig.balance(rig.user("ada"))).isEqualTo(1000 - 59 * 5);
  }

  private String wallets() {
    return String.valueOf(rig.place().ask("select count(*) from wallet"));
  }

  /** Commits, and then says that the connection broke: what a network does now and then. */
  private DataSource losingTheAnswerOfCommits() {
    return meddled("commit");
  }

  private static boolean commits(Method method, @Nullable Object @Nullable [] arguments) {
    return method.getName().equals("prepareStatement")
        && String.valueOf(Objects.requireNonNull(arguments)[0]).endsWith("commit");
  }

  private static PreparedStatement deaf(PreparedStatement statement) {
    return (PreparedStatement)
        Proxy.newProxyInstance(
            PreparedStatement.class.getClassLoader(),
            new Class<?>[] {PreparedStatement.class},
            (_, method, arguments) -> {
              Object result = method.invoke(statement, arguments);
              if (method.getName().equals("execute")) {
                throw new SQLException("the answer never came", "08006");
              }
              return result;
            });
  }

  private DataSource failingToClose() {
    return meddled("close");
  }

  /** A data source of connections whose method does its work and then throws. */
  private DataSource meddled(String method) {
    DataSource real = rig.place().dataSource();
    return (DataSource)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {DataSource.class},
            (_, _, _) -> meddled(real.getConnection(), method));
  }

  private static Connection meddled(Connection connection, String name) {
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (_, method, arguments) -> {
              try {
                Object result = method.invoke(connection, arguments);
                if (name.equals("commit") && commits(method, arguments)) {
                  return deaf((PreparedStatement) result);
                }
                if (method.getName().equals(name)) {
                  throw new SQLException("the answer never came", "08006");
                }
                return result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
