package dev.millrace.postgres.store;

import static dev.millrace.postgres.EngineRig.complete;
import static dev.millrace.postgres.EngineRig.heartbeat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.SubmitBatch;
import dev.millrace.engine.job.JobId;
import dev.millrace.postgres.EngineRig;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rows are locked by their ids, whatever the order of the commands. Somebody holds one of two rows:
 * who waits for the lower one has not locked the higher one, and the other way round they have.
 */
class LockOrderPgTest {

  private final EngineRig rig = EngineRig.open();
  private final Meeting meeting = new Meeting(rig);
  private Leased adas;
  private Leased bobs;

  @BeforeEach
  void run_a_job_of_each_user() throws Exception {
    adas = running("ada");
    bobs = running("bob");
    assertThat(adas.job().id()).isLessThan(bobs.job().id());
    assertThat(adas.job().terms().walletId()).isLessThan(bobs.job().terms().walletId());
  }

  @AfterEach
  void the_doctor_finds_nothing() {
    meeting.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void settlements_lock_wallets_from_the_lowest(boolean upwards) throws Exception {
    assertWalletsInOrder(() ->
        upwards
            ? meeting.inOneBatch(complete(adas, 1), complete(bobs, 1))
            : meeting.inOneBatch(complete(bobs, 1), complete(adas, 1)));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void submits_lock_wallets_from_the_lowest(boolean upwards) throws Exception {
    var adasOrder = rig.order().by(rig.user("ada")).cost(0).build();
    var bobsOrder = rig.order().by(rig.user("bob")).cost(0).build();
    assertWalletsInOrder(() ->
        meeting.inOneBatch(
            new SubmitBatch(),
            upwards ? List.of(adasOrder, bobsOrder) : List.of(bobsOrder, adasOrder)));
  }

  @Test
  void reports_lock_jobs_from_the_lowest() throws Exception {
    Callable<?> beats = () -> meeting.inOneBatch(heartbeat(bobs, 10), heartbeat(adas, 10));
    assertThat(lockedWhileHolding(job(adas.job().id()), job(bobs.job().id()), beats)).isFalse();
    Callable<?> again = () -> meeting.inOneBatch(heartbeat(bobs, 20), heartbeat(adas, 20));
    assertThat(lockedWhileHolding(job(bobs.job().id()), job(adas.job().id()), again)).isTrue();
  }

  private void assertWalletsInOrder(Callable<?> batch) throws Exception {
    Future<?> waiting;
    try (var _ = rig.block(lock(wallet(bobs)))) {
      waiting = meeting.start(batch);
      rig.awaitLockWaits(1);
      assertThat(locked(wallet(adas))).as("who waits for bob's wallet holds ada's").isTrue();
    }
    waiting.get();
  }

  private boolean lockedWhileHolding(String held, String asked, Callable<?> batch)
      throws Exception {
    Future<?> waiting;
    boolean locked;
    try (var _ = rig.block(lock(held))) {
      waiting = meeting.start(batch);
      rig.awaitLockWaits(1);
      locked = locked(asked);
    }
    waiting.get();
    return locked;
  }

  private boolean locked(String row) {
    return meeting.ask(lock(row) + " skip locked").equals("null");
  }

  private static String lock(String row) {
    return "select 1 from " + row + " for update";
  }

  private static String wallet(Leased leased) {
    return "wallet where id = " + leased.job().terms().walletId();
  }

  private static String job(JobId id) {
    return "job where id = '" + id.uuid() + "'";
  }

  private Leased running(String user) throws InterruptedException {
    rig.pay(rig.user(user), 5);
    rig.submit(rig.order().by(rig.user(user)));
    return rig.lease();
  }
}
