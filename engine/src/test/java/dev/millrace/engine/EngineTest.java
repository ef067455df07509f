package dev.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.engine.command.Callbacks;
import dev.millrace.engine.command.LeaseJobs;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.command.SubmitMany;
import dev.millrace.engine.command.Timings;
import dev.millrace.engine.command.TopUp;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.JobTerms;
import dev.millrace.engine.lane.Lane;
import dev.millrace.engine.lane.LaneFull;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.lifecycle.Trigger;
import dev.millrace.engine.memory.MemoryStore;
import dev.millrace.engine.money.QuotaUse;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Callback;
import dev.millrace.engine.port.Changes;
import dev.millrace.engine.port.Store;
import dev.millrace.engine.port.Transaction;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class EngineTest {

  private static final Wallet.Owner ADA = new Wallet.Owner(1, "ada");

  private final MemoryStore store = new MemoryStore();

  @Test
  void what_was_committed_is_told_and_what_changed_nothing_is_not() throws Exception {
    List<Changes> told = new ArrayList<>();
    try (Engine engine = engine(told::add)) {
      engine.topUp(new TopUp(ADA, 100, "p", null));
      engine.submit(order(1));
      assertThat(engine.lease(new LeaseJobs("w", List.of(2), 1))).isEmpty();
      assertThat(engine.report(new Report.Cancel(new JobId(1, new UUID(9, 9)))))
          .isEqualTo(new Report.Result.Missing());
    }
    assertThat(told).hasSize(2);
    assertThat(told.get(1).created()).hasSize(1);
  }

  @Test
  void each_verb_answers_its_caller() throws Exception {
    List<String> denied = new ArrayList<>();
    Engine.Listener listener =
        new Engine.Listener() {
          @Override
          public void committed(Changes changes) {}

          @Override
          public void denied(JobId job, State from, DeniedStep step) {
            denied.add(from.label() + " " + step.label() + " " + step.target());
          }
        };
    try (Engine engine = engine(listener)) {
      assertThat(engine.topUp(new TopUp(ADA, 100, "p", null)))
          .isInstanceOfSatisfying(
              TopUp.Result.Booked.class,
              booked -> assertThat(booked.wallet().balance()).isEqualTo(100));
      SubmitJob.Result result = engine.submit(order(1));
      JobId id = ((SubmitJob.Result.Accepted) result).job().id();
      assertThat(engine.report(new Report.Approve(id, "rita", null, null)))
          .isEqualTo(new Report.Result.Denied(State.QUEUED, Trigger.APPROVE));
      assertThat(engine.report(new Report.Delete(id, "ada")))
          .isEqualTo(new Report.Result.NotNow(State.QUEUED));
      engine.refuseRetry(id, State.COMPLETED);
    }
    assertThat(denied)
        .containsExactly(
            "queued approve completed", "queued delete deleted", "completed retry queued");
  }

  @Test
  void a_listener_that_fails_in_any_way_does_not_make_a_command_run_twice() throws Exception {
    try (Engine engine =
        engine(_ -> {
          throw new AssertionError("the listener is broken");
        })) {
      engine.topUp(new TopUp(ADA, 100, "p", null));
      SubmitJob.Result result = engine.submit(order(1));
      assertThat(result).isInstanceOf(SubmitJob.Result.Accepted.class);
      List<Leased> leased = engine.lease(new LeaseJobs("w", List.of(1), 1));
      assertThat(leased).hasSize(1);
      assertThat(engine.report(new Report.Cancel(leased.getFirst().job().id())))
          .isInstanceOf(Report.Result.Done.class);
    }
    assertThat(store.tables().jobs).hasSize(1);
    assertThat(store.balance(ADA)).isEqualTo(90);
  }

  @Test
  void a_commit_of_which_nobody_heard_is_told_as_such() {
    AtomicInteger unsure = new AtomicInteger();
    Engine.Listener listener =
        new Engine.Listener() {
          @Override
          public void committed(Changes changes) {
            throw new AssertionError("nobody knows that");
          }

          @Override
          public void unsure() {
            unsure.incrementAndGet();
          }
        };
    Store deaf =
        new Store() {
          @Override
          public <R> R transact(Function<Transaction, R> work) {
            store.transact(work);
            throw new OutcomeUnknown("no answer", new IOException());
          }
        };
    try (Engine engine = engine(deaf, listener)) {
      assertThatThrownBy(() -> engine.topUp(new TopUp(ADA, 100, "p", null)))
          .isInstanceOf(Store.OutcomeUnknown.class);
    }
    assertThat(unsure).hasValue(1);
  }

  private Engine engine(Engine.Listener committed) {
    return engine(store, committed);
  }

  private static Engine engine(Store store, Engine.Listener committed) {
    Timings timings =
        new Timings(
            Duration.ofSeconds(30),
            Duration.ofHours(2),
            Duration.ofHours(1),
            Duration.ofSeconds(20),
            new Timings.Backoff(Duration.ofSeconds(2), Duration.ofMinutes(5)));
    return new Engine(store, timings, new Engine.LaneSizes(10, 10), UUID::randomUUID, committed);
  }

  private static SubmitJob order(int number) {
    return new SubmitJob(
        new UUID(0, number),
        ADA,
        new SubmitJob.Terms(1, 1, 10, 3, 10, 60, 60, JobTerms.Rules.USUAL),
        new SubmitJob.Identity(null, "f", null),
        new SubmitJob.Request("{}", 0, null, Changes.Links.NONE),
        QuotaUse.Limits.UNSET,
        null);
  }

  @Test
  void single_commands_are_answered_too() {
    try (Engine engine = engine(_ -> {})) {
      engine.topUp(new TopUp(ADA, 100, "p", null));
      assertThat(
              engine.submitMany(
                  new SubmitMany(new UUID(7, 7), ADA, null, "f", true, List.of(order(1)))))
          .isInstanceOf(SubmitMany.Result.Decided.class);
      assertThat(engine.hear(new Callbacks.Receive(new Callback.Id("fal", "e"), "r")))
          .isEqualTo(Callbacks.Reception.NEW);
    }
  }

  @Test
  void what_locks_no_wallet_needs_not_wait_for_those_that_do() throws Exception {
    JobId nobody = new JobId(1, new UUID(9, 9));
    try (Engine engine = engine(_ -> {})) {
      engine.report(new Report.Promote(nobody, 1));
      assertThat(done(engine))
          .isEqualTo(Map.of("submit", 0L, "lease", 0L, "progress", 1L, "settle", 0L));
      engine.report(new Report.Cancel(nobody));
      assertThat(done(engine)).containsEntry("settle", 1L).containsEntry("progress", 1L);
    }
  }

  private static Map<String, Long> done(Engine engine) {
    return engine.standing().stream()
        .collect(Collectors.toMap(Lane.Standing::lane, Lane.Standing::done));
  }

  @Test
  void whoever_closes_in_a_hurry_stays_in_a_hurry_and_everybody_is_answered() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch gate = new CountDownLatch(1);
    Store slow =
        new Store() {
          @Override
          public <R> R transact(Function<Transaction, R> work) {
            begun.countDown();
            try {
              gate.await();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
            return store.transact(work);
          }
        };
    Engine engine = engine(slow, _ -> {});
    FutureTask<List<Leased>> asked =
        new FutureTask<>(() -> engine.lease(new LeaseJobs("w", List.of(1), 1)));
    Thread.ofVirtual().start(asked);
    begun.await();
    Thread.currentThread().interrupt();
    engine.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(asked).isNotDone();
    gate.countDown();
    assertThat(asked.get()).isEmpty();
  }

  @Test
  void each_lane_says_where_it_stands_and_takes_nothing_after_the_end() {
    Engine engine = engine(_ -> {});
    assertThat(engine.standing())
        .extracting(Lane.Standing::lane)
        .containsExactlyInAnyOrder("submit", "lease", "progress", "settle");
    engine.close();
    assertThatThrownBy(() -> engine.submit(order(1))).isInstanceOf(LaneFull.class);
  }
}
