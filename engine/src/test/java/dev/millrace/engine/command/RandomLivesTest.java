package dev.millrace.engine.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.job.Failure;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.Progress;
import dev.millrace.engine.lifecycle.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random commands in random batches on a jumping clock; the store checks its laws after each batch.
 * The seed is in the name of the test that failed.
 */
class RandomLivesTest {

  private static final int ROUNDS = 150;
  private static final List<Report.Fail.Kind> KINDS = List.of(Report.Fail.Kind.values());

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 42, 4711, -1})
  void the_laws_hold_whatever_happens(long seed) {
    Lives lives = new Lives(seed, true);
    lives.live(ROUNDS);
    assertThat(lives.bench.tables.jobs).as("seed %d", seed).hasSizeGreaterThan(30);
    lives.endEverything();
  }

  @Test
  void between_them_the_seeds_see_every_end_that_a_command_can_bring_about() {
    Set<State> seen = EnumSet.noneOf(State.class);
    for (long seed = 1; seed <= 5; seed++) {
      Lives lives = new Lives(seed, true);
      lives.live(ROUNDS);
      lives.bench.tables.events.forEach(event -> seen.add(event.state()));
    }
    assertThat(seen).isEqualTo(EnumSet.complementOf(EnumSet.of(State.SUBMITTED, State.BLOCKED)));
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {7, 8, 9})
  void a_batch_decides_as_its_commands_would_one_by_one(long seed) {
    Lives together = new Lives(seed, true);
    together.live(ROUNDS);
    Lives alone = new Lives(seed, false);
    alone.live(ROUNDS);
    assertThat(alone.results).as("results, seed %d", seed).isEqualTo(together.results);
    assertThat(alone.bench.tables.jobs).isEqualTo(together.bench.tables.jobs);
    assertThat(alone.bench.tables.wallets).isEqualTo(together.bench.tables.wallets);
    assertThat(alone.bench.tables.events).isEqualTo(together.bench.tables.events);
    assertThat(alone.bench.tables.ledger).isEqualTo(together.bench.tables.ledger);
  }

  /** The same seed makes the same commands, run in batches or one by one. */
  private static final class Lives {
    private final Random random;
    private final boolean inBatches;
    private final Bench bench = Bench.withCredits(300);
    private final List<Leased> leases = new ArrayList<>();
    private final List<Object> results = new ArrayList<>();

    Lives(long seed, boolean inBatches) {
      this.random = new Random(seed);
      this.inBatches = inBatches;
    }

    void live(int rounds) {
      for (int round = 0; round < rounds; round++) {
        switch (random.nextInt(5)) {
          case 0 -> submit();
          case 1 -> lease();
          case 2, 3 -> report();
          default -> jump();
        }
      }
    }

    /** Mostly a little, sometimes back, rarely beyond every deadline. */
    private void jump() {
      int farthest = random.nextInt(15) == 0 ? 4_000_000 : 25_000;
      bench.advance(Duration.ofMillis(random.nextInt(farthest) - 2_000L));
    }

    private void submit() {
      List<Order> orders = new ArrayList<>();
      for (int i = random.nextInt(4); i >= 0; i--) {
        Order order = new Order().by(random.nextBoolean() ? Bench.ADA : Bench.BOB);
        order.cost(random.nextInt(25)).priority(random.nextInt(3)).review(random.nextInt(4) == 0);
        order.caps(1 + random.nextInt(3), 1 + random.nextInt(3)).workflow(1 + random.nextInt(2));
        if (random.nextInt(3) == 0) {
          order.runAt(bench.now().plusSeconds(random.nextInt(60)));
        }
        if (random.nextInt(3) == 0) {
          order.key("k" + random.nextInt(20), "f" + random.nextInt(2));
        }
        orders.add(order);
      }
      if (inBatches) {
        results.addAll(bench.submitAll(orders.toArray(Order[]::new)));
      } else {
        orders.forEach(order -> results.addAll(bench.submitAll(order)));
      }
    }

    /** One asker for each batch, because a batch deals in turns and single askers do not. */
    private void lease() {
      int max = 1 + random.nextInt(4);
      List<Leased> leased = bench.leaseAll(new LeaseJobs("w", List.of(1, 2), max)).getFirst();
      leases.addAll(leased);
      results.addAll(leased);
    }

    private void report() {
      List<Report> reports = new ArrayList<>();
      for (int i = random.nextInt(6); i >= 0; i--) {
        if (!leases.isEmpty()) {
          reports.add(fromTheLeased(leases.get(random.nextInt(leases.size()))));
        }
        List<Job> jobs = List.copyOf(bench.tables.jobs.values());
        if (!jobs.isEmpty()) {
          reports.add(fromOutside(jobs.get(random.nextInt(jobs.size()))));
        }
      }
      if (inBatches) {
        results.addAll(bench.reportAll(reports.toArray(Report[]::new)));
      } else {
        reports.forEach(report -> results.add(bench.report(report)));
      }
    }

    private Report fromTheLeased(Leased leased) {
      var id = leased.job().id();
      var token = leased.token();
      return switch (random.nextInt(9)) {
        case 0, 1, 2 ->
            new Report.Heartbeat(
                id,
                token,
                random.nextBoolean() ? null : new Progress(random.nextInt(120), "s", "m"),
                Bench.summary(random.nextBoolean() ? Map.of() : Map.of("n", "1")));
        case 3, 4 ->
            new Report.Complete(id, token, List.of(Bench.output()), Bench.summary(Map.of()));
        case 5 -> new Report.Requeue(id, token, "spot");
        case 6 -> new Report.AcknowledgeCancel(id, token);
        default ->
            new Report.Fail(
                id,
                token,
                KINDS.get(random.nextInt(KINDS.size())),
                new Failure("e", "E."),
                random.nextBoolean() ? null : Duration.ofSeconds(random.nextInt(9)),
                random.nextDouble());
      };
    }

    private Report fromOutside(Job job) {
      return switch (random.nextInt(8)) {
        case 0 -> new Report.Cancel(job.id());
        case 1, 2 -> new Report.MissDeadline(job.id());
        case 3, 4 ->
            leases.isEmpty()
                ? new Report.Promote(job.id(), job.terms().workflowId())
                : new Report.LoseLease(
                    job.id(),
                    leases.get(random.nextInt(leases.size())).token(),
                    random.nextInt(3) == 0);
        default -> new Report.Promote(job.id(), job.terms().workflowId());
      };
    }

    /** Every live job has a deadline, so in the end the reaper ends them all. */
    void endEverything() {
      bench.advance(Duration.ofDays(3));
      for (Job job : List.copyOf(bench.tables.jobs.values())) {
        bench.report(new Report.MissDeadline(job.id()));
      }
      assertThat(bench.tables.jobs.values()).allMatch(job -> job.state().terminal());
    }
  }
}
