package dev.millrace.service.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.postgres.Database;
import dev.millrace.postgres.fleet.Workers;
import dev.millrace.service.fleet.WorkerTokens.Admitted;
import dev.millrace.service.fleet.WorkerTokens.Caller;
import dev.millrace.service.fleet.WorkerTokens.Refusal;
import dev.millrace.testkit.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WorkerTokensPgTest {

  private static final int ROUNDS = 2_000;

  /** The one who removes it, and the one who hears of it. */
  private static final int WHO_FORGET = 2;

  private static final int MOST_REMEMBERED = 4;

  @Test
  void who_has_forgotten_a_worker_never_meets_it_again_also_when_two_forget_it() throws Exception {
    try (TestDatabase test = TestDatabase.create();
        Database database =
            Database.open(new Database.Access(test.jdbcUrl(), test.user(), test.password(), 6));
        ExecutorService threads = Executors.newFixedThreadPool(WHO_FORGET)) {
      Workers workers = database.workers();
      WorkerTokens tokens = new WorkerTokens(workers);
      CyclicBarrier start = new CyclicBarrier(WHO_FORGET);
      for (int i = 0; i < ROUNDS; i++) {
        Caller caller = remembered(workers, tokens, "%064x".formatted(i));
        workers.delete(caller.worker());
        List<Future<Boolean>> met = new ArrayList<>();
        for (int who = 0; who < WHO_FORGET; who++) {
          met.add(
              threads.submit(() -> {
                start.await(1, TimeUnit.MINUTES);
                tokens.forget(List.of(caller.worker().uid()));
                return meets(tokens, caller);
              }));
        }
        for (Future<Boolean> each : met) {
          assertThat(each.get()).as("round " + i).isFalse();
        }
      }
    }
  }

  @Test
  void a_worker_that_there_was_no_room_to_remember_is_forgotten_all_the_same() throws Exception {
    try (TestDatabase test = TestDatabase.create();
        Database database =
            Database.open(new Database.Access(test.jdbcUrl(), test.user(), test.password(), 6))) {
      Workers workers = database.workers();
      WorkerTokens tokens = new WorkerTokens(workers, MOST_REMEMBERED);
      List<Caller> callers = new ArrayList<>();
      for (int i = 0; i < 5 * MOST_REMEMBERED; i++) {
        callers.add(remembered(workers, tokens, "%064x".formatted(i), "w" + i));
      }
      for (Caller caller : callers) {
        workers.delete(caller.worker());
        tokens.forget(List.of(caller.worker().uid()));
        assertThat(meets(tokens, caller)).as(caller.id()).isFalse();
      }
    }
  }

  private static Caller remembered(Workers workers, WorkerTokens tokens, String hash) {
    return remembered(workers, tokens, hash, "w");
  }

  private static Caller remembered(Workers workers, WorkerTokens tokens, String hash, String name) {
    workers.register(
        new Workers.NewWorker(name, UUID.randomUUID(), hash, 1, null, "{}", List.of(), true), 100);
    Caller caller = new Caller(workers.byToken(hash).orElseThrow(), hash);
    assertThat(tokens.again(caller)).isInstanceOf(Admitted.class);
    return caller;
  }

  private static boolean meets(WorkerTokens tokens, Caller caller) {
    return tokens.again(caller) != Refusal.UNKNOWN;
  }
}
