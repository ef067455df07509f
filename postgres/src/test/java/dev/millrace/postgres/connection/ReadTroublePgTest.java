package dev.millrace.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.millrace.engine.command.TopUp;
import dev.millrace.engine.port.Store;
import dev.millrace.postgres.EngineRig;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Trouble on the way of a read is told so that the caller may come again, never as a bug. */
class ReadTroublePgTest {

  private static final String IN_A_READ =
      """
      from pg_stat_activity
      where datname = current_database()
        and query like '%balance%'
        and wait_event_type = 'Lock'
        and pid <> pg_backend_pid()
      """;

  private static final String TROUBLE =
      """
      create function trouble(state text) returns boolean language plpgsql as $$
      begin
          raise exception 'no' using errcode = state;
      end $$
      """;

  private final EngineRig rig = EngineRig.open();
  private final Jdbi jdbi = Jdbi.create(rig.place().dataSource());

  @BeforeEach
  void tell_troubles_as_the_database_does() {
    jdbi.setHandleCallbackDecorator(new OperatingTroubles());
    rig.pay(rig.user("ada"), 5);
  }

  @AfterEach
  void the_doctor_finds_nothing() {
    rig.close();
  }

  @Test
  void a_backend_that_is_killed_in_the_middle_of_a_read_is_a_database_out_of_reach()
      throws Exception {
    Throwable told;
    try (var _ = rig.block("lock table wallet in access exclusive mode")) {
      FutureTask<Throwable> read =
          new FutureTask<>(() -> catchThrowable(() -> rig.balance(rig.user("ada"))));
      Thread.ofVirtual().start(read);
      Awaitility.await().until(() -> "1".equals(rig.place().ask("select count(*) " + IN_A_READ)));
      rig.place().ask("select pg_terminate_backend(pid) " + IN_A_READ);
      told = read.get();
    }
    assertThat(told).isInstanceOf(Store.Unavailable.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"40001", "40P01", "57P01"})
  void a_read_that_the_server_gives_up_is_told_as_a_store_that_cannot_now(String state) {
    rig.place().execute(TROUBLE);
    String read = "select balance from wallet where trouble('" + state + "')";
    assertThatThrownBy(
            () -> jdbi.withHandle(handle -> handle.createQuery(read).mapTo(Long.class).list()))
        .isInstanceOf(Store.Unavailable.class);
  }

  @Test
  void a_transaction_that_collides_to_the_last_run_is_told_as_busy() {
    AtomicInteger runs = new AtomicInteger();
    rig.place()
        .execute(
            """
            create function collide() returns trigger language plpgsql as $$
            begin
                raise exception 'no' using errcode = '40001';
            end $$;
            create trigger collide before update on wallet for each row execute function collide()
            """);
    assertThatThrownBy(() ->
            rig.database()
                .store()
                .transact(tx -> {
                  runs.incrementAndGet();
                  var topUp = new TopUp(rig.user("ada"), 1, "again", null);
                  var decided = new TopUp.Booking().decide(tx, List.of(topUp));
                  tx.write(decided.changes());
                  return topUp;
                }))
        .isInstanceOf(Store.Busy.class);
    assertThat(runs).hasValueGreaterThan(1);
  }
}
