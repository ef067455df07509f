package dev.millrace.postgres.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.LeaseJobs;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.Report.Fail.Kind;
import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.command.Timings;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.money.Wallet;
import dev.millrace.postgres.Crowd;
import dev.millrace.postgres.EngineRig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Everything at once on two nodes: clients, workers good and bad, and a reaper on each. */
class MixedLoadPgTest {

  private static final int CLIENTS = 40;
  private static final int ORDERS = 12;
  private static final int WORKERS = 24;
  private static final long SEED = 20_260_101L;

  /** Leases so short, and backoffs so small, that many are lost and retried within the test. */
  private static final Timings HURRIED =
      new Timings(
          Duration.ofMillis(400),
          Duration.ofHours(2),
          Duration.ofDays(1),
          Duration.ofMillis(200),
          new Timings.Backoff(Duration.ofMillis(5), Duration.ofMillis(50)));

  private final EngineRig rig = EngineRig.open(HURRIED);
  private final Engine other = rig.node();
  private final Queue<JobId> accepted = new ConcurrentLinkedQueue<>();
  private volatile boolean over;
  private final AtomicInteger clientsLeft = new AtomicInteger(CLIENTS);

  @Test
  void under_mixed_load_no_job_and_no_credit_is_lost_and_nothing_deadlocks() throws Exception {
    for (int user = 0; user < 6; user++) {
      rig.pay(owner(user), 500);
    }
    List<Callable<Integer>> people = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      people.add(client(i));
    }
    for (int i = 0; i < WORKERS; i++) {
      people.add(worker(i));
    }
    people.add(reaper(rig.engine()));
    people.add(reaper(other));
    Crowd.of(people.size(), people::get);

    assertThat(accepted).doesNotHaveDuplicates().isNotEmpty();
    assertThat(rig.place().ask("select count(*) from job"))
        .isEqualTo(String.valueOf(accepted.size()));
    assertThat(live()).isZero();
    assertThat(rig.place().ask("select count(distinct state) >= 4 from job")).isEqualTo("t");
    rig.assertHealthy();
    rig.stop();
    assertNoDeadlocks();
    rig.place().close();
  }

  private Wallet.Owner owner(int number) {
    return new Wallet.Owner(number % 2 == 0 ? rig.acme() : rig.zenith(), "user-" + number);
  }

  private Engine node(int number) {
    return number % 2 == 0 ? rig.engine() : other;
  }

  private Callable<Integer> client(int number) {
    return () -> {
      Random random = new Random(SEED + number);
      Engine engine = node(number);
      int canceled = 0;
      for (int i = 0; i < ORDERS; i++) {
        SubmitJob order =
            rig.order()
                .by(owner(random.nextInt(6)))
                .effect(random.nextInt(3) == 0 ? "video" : "sketch")
                .cost(random.nextInt(1, 8))
                .priority(random.nextInt(3))
                .key("key-" + random.nextInt(400), "f")
                .most(2, 3)
                .build();
        if (engine.submit(order) instanceof SubmitJob.Result.Accepted(var job)) {
          accepted.add(job.id());
          if (random.nextInt(5) == 0) {
            canceled++;
            node(number + 1).report(new Report.Cancel(job.id()));
          }
        }
      }
      clientsLeft.decrementAndGet();
      return canceled;
    };
  }

  private Callable<Integer> worker(int number) {
    return () -> {
      Random random = new Random(SEED - number);
      Engine engine = node(number);
      LeaseJobs ask =
          new LeaseJobs(
              "worker-" + number, List.of(rig.workflow("sketch"), rig.workflow("video")), 4);
      int done = 0;
      while (!over) {
        for (Leased leased : engine.lease(ask)) {
          Report.Result beat = engine.report(EngineRig.heartbeat(leased, random.nextInt(100)));
          if (beat instanceof Report.Result.Done) {
            done++;
            end(node(random.nextInt(2)), leased, random);
          }
        }
      }
      return done;
    };
  }

  private static void end(Engine engine, Leased leased, Random random) throws InterruptedException {
    switch (random.nextInt(1, 8)) {
      case 0 -> engine.report(EngineRig.fail(leased, Kind.RETRYABLE));
      case 1 -> engine.report(EngineRig.fail(leased, Kind.PERMANENT));
      case 2 -> engine.report(new Report.Requeue(leased.job().id(), leased.token(), "spot notice"));
      case 3 -> {
        // Says nothing more: the reaper has to notice.
      }
      default -> engine.report(EngineRig.complete(leased, random.nextInt(1, 8)));
    }
  }

  private Callable<Integer> reaper(Engine engine) {
    return () -> {
      int found = 0;
      while (!over) {
        for (Report report : rig.database().overdueJobs().find(50)) {
          engine.report(report);
          found++;
        }
        over = clientsLeft.get() == 0 && live() == 0;
      }
      return found;
    };
  }

  private int live() {
    return Integer.parseInt(String.valueOf(rig.place().ask("select count(*) from dispatch")));
  }

  private void assertNoDeadlocks() {
    Awaitility.await()
        .until(() ->
            "1"
                .equals(
                    rig.place()
                        .ask(
                            "select count(*) from pg_stat_activity where datname = current_database()")));
    assertThat(
            rig.place()
                .ask("select deadlocks from pg_stat_database where datname = current_database()"))
        .isEqualTo("0");
  }
}
