package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.ServerRig;
import dev.millrace.service.attempt.Breaker;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Provider;
import dev.millrace.spi.provider.Work;
import dev.millrace.storage.ObjectStore;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Calls that are paid for and can't be asked for afterwards: whatever becomes of the server that
 * made one, nobody makes it again.
 */
@Timeout(120)
class PaidCallApiPgTest {

  private static final int AWAY = 1_000_000;

  @TempDir static Path folder;
  private static ServerRig rig;
  private final CountDownLatch called = new CountDownLatch(1);
  private final CountDownLatch answered = new CountDownLatch(1);

  @BeforeAll
  static void start() {
    rig = ServerRig.start(folder, "EXECUTOR_SLOTS=0");
  }

  @AfterAll
  static void stop() {
    rig.examine();
    rig.close();
  }

  @Test
  void a_server_that_stops_waits_for_the_answer() throws InterruptedException {
    CalledProvider provider = new CalledProvider(true, this::whenAnswered);
    String id = asked();
    try (SecondExecutor executor = executor(provider)) {
      called.await();
      executor.stopAsking();
      answered.countDown();
    }
    assertThat(after(provider, id).at("/state")).isEqualTo("completed");
    assertThat(provider.calls().get()).isEqualTo(1);
  }

  @Test
  void what_is_not_answered_when_the_server_ends_is_uncertain_and_not_asked_for_again()
      throws InterruptedException {
    CalledProvider provider = new CalledProvider(true, this::whenAnswered);
    String id = asked();
    try (SecondExecutor _ = hurried(provider, store -> store)) {
      called.await();
    }
    Answer job = after(provider, id);
    assertThat(job.at("/state")).isEqualTo("failed");
    assertThat(job.at("/error/code")).isEqualTo("uncertain");
    assertThat(provider.calls().get()).isEqualTo(1);
  }

  @Test
  void an_answer_that_waits_for_the_store_is_stored_while_the_server_stops() {
    AtomicInteger troubles = new AtomicInteger(AWAY);
    CalledProvider provider = new CalledProvider(true, _ -> CalledProvider.succeeded("hello"));
    String id = asked();
    try (SecondExecutor executor = executor(provider, troubles)) {
      await().until(() -> troubles.get() < AWAY);
      executor.stopAsking();
      troubles.set(0);
    }
    assertThat(after(provider, id).at("/state")).isEqualTo("completed");
    assertThat(provider.calls().get()).isEqualTo(1);
  }

  @Test
  void an_answer_that_could_not_be_stored_when_the_server_ends_is_not_asked_for_again() {
    AtomicInteger troubles = new AtomicInteger(AWAY);
    CalledProvider provider = new CalledProvider(true, _ -> CalledProvider.succeeded("hello"));
    String id = asked();
    try (SecondExecutor _ =
        hurried(provider, store -> BreakdownApiPgTest.broken(store, troubles))) {
      await().until(() -> troubles.get() < AWAY);
    }
    Answer job = after(provider, id);
    assertThat(job.at("/state")).isEqualTo("failed");
    assertThat(job.at("/error/code")).isEqualTo("storage");
    assertThat(provider.calls().get()).isEqualTo(1);
  }

  @Test
  void a_lost_lease_is_no_reason_to_call_again_until_somebody_says_so() {
    AtomicInteger calls = new AtomicInteger();
    CalledProvider provider =
        new CalledProvider(
            true,
            work ->
                calls.incrementAndGet() == 1
                    ? untilTheLeaseIsLost(work)
                    : CalledProvider.succeeded("hello"));
    String id = asked();
    try (SecondExecutor _ = executor(provider)) {
      Answer job = rig.admin().awaitJob(id, "completed", "failed", "dead_letter");
      assertThat(job.at("/error/code")).isEqualTo("uncertain");
      assertThat(job.at("/attempt")).isEqualTo("2");
      assertThat(calls.get()).isEqualTo(1);
      rig.examine();

      rig.admin().post("/api/admin/jobs/" + id + "/retry", "").expect(200);
      rig.admin().awaitJob(id, "completed");
      assertThat(calls.get()).isEqualTo(2);
    }
  }

  @Test
  void what_was_not_sent_yet_is_given_back_and_called_once() {
    AtomicReference<SecondExecutor> first = new AtomicReference<>();
    CalledProvider calls = new CalledProvider(true, _ -> CalledProvider.succeeded("hello"));
    Provider provider =
        new Provider() {
          @Override
          public String name() {
            return calls.name();
          }

          @Override
          public boolean mayAskAgain(Work work) {
            first.get().stopAsking();
            return false;
          }

          @Override
          public Outcome execute(Work work) {
            return calls.execute(work);
          }
        };
    String id = asked();
    first.set(SecondExecutor.of(rig, objects(), provider));
    try (SecondExecutor _ = first.get().start()) {
      await().until(() -> rig.admin().job(id).at("/interruptions").equals("1"));
    }
    assertThat(after(calls, id).at("/attempt")).isEqualTo("2");
    assertThat(calls.calls().get()).isEqualTo(1);
  }

  @Test
  void what_costs_nothing_is_given_back_at_once_and_done_again() throws InterruptedException {
    CalledProvider provider = new CalledProvider(false, this::whenAnswered);
    String id = asked();
    try (SecondExecutor executor = executor(provider)) {
      called.await();
      executor.stopAsking();
      await().until(() -> rig.admin().job(id).at("/state").equals("queued"));
    }
    answered.countDown();
    assertThat(after(provider, id).at("/state")).isEqualTo("completed");
    assertThat(provider.calls().get()).isEqualTo(2);
  }

  /** The job, when another server has had its chance to run it. */
  private static Answer after(CalledProvider provider, String id) {
    try (SecondExecutor _ = executor(provider)) {
      return rig.admin().awaitJob(id, "completed", "failed", "dead_letter");
    }
  }

  private static SecondExecutor executor(Provider provider) {
    return SecondExecutor.of(rig, objects(), provider).start();
  }

  private static SecondExecutor executor(Provider provider, AtomicInteger troubles) {
    return SecondExecutor.of(
            rig,
            objects(),
            provider,
            Breaker.never(),
            store -> BreakdownApiPgTest.broken(store, troubles))
        .start();
  }

  private static SecondExecutor hurried(Provider provider, UnaryOperator<ObjectStore> spoiler) {
    return SecondExecutor.hurried(rig, objects(), provider, spoiler).start();
  }

  /** Goes on until it is answered, and stops when it should. */
  private Outcome whenAnswered(Work work) {
    called.countDown();
    try {
      boolean done = false;
      while (!done && !work.canceled()) {
        done = answered.await(10, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return work.canceled() ? new Outcome.Canceled() : CalledProvider.succeeded("hello");
  }

  /** As after a kill: nobody extends the lease, and its answer comes too late. */
  private static Outcome untilTheLeaseIsLost(Work work) {
    String lost =
        "select count(*) from attempt where outcome = 'lease_lost' and job_id = '%s' and number = %d"
            .formatted(work.jobId(), work.attempt());
    await()
        .until(() -> {
          rig.database()
              .execute(
                  "update job set lease_expires_at = clock_timestamp() where state = 'running'");
          return rig.ask(lost).equals("1");
        });
    return CalledProvider.succeeded("too late");
  }

  private static String asked() {
    return rig.admin().asked("sketch/draft", "\"prompt\":\"a cat\"");
  }

  private static Path objects() {
    return folder.resolve("data").resolve("objects");
  }
}
