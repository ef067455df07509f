package dev.millrace.postgres.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.sim.Bug;
import dev.millrace.engine.sim.Simulation;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** All laws hold after every schedule on PostgreSQL. */
@Timeout(value = 3, unit = TimeUnit.HOURS) // The long run has fifty times as many.
class PgSimTest {

  private static final int SCHEDULES = 500;
  private static final int LONG_RUN = 50;
  private static final int AT_ONCE = 2;
  private static final int TOLD = 500; // The long run takes an hour: say where it is.

  @Test
  void all_laws_hold_after_every_schedule() throws InterruptedException, ExecutionException {
    Long only = Long.getLong("millrace.sim.seed");
    long last = SCHEDULES * (Boolean.getBoolean("millrace.long") ? (long) LONG_RUN : 1L);
    AtomicLong next = new AtomicLong(only == null ? Long.getLong("millrace.sim.from", 1) : only);
    long end = only == null ? last : only;
    try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
      List<Future<Long>> players = new ArrayList<>();
      for (int i = 0; i < AT_ONCE; i++) {
        players.add(threads.submit(() -> playAll(next, end)));
      }
      for (Future<Long> player : players) {
        player.get();
      }
    }
  }

  private static long playAll(AtomicLong next, long end) throws SQLException {
    try (Theatre theatre = new Theatre()) {
      long seed = next.getAndIncrement();
      while (seed <= end) {
        theatre.play(seed).mustBeFine();
        if (seed % TOLD == 0) {
          System.out.printf("%s: %,d of %,d schedules%n", Instant.now(), seed, end);
        }
        seed = next.getAndIncrement();
      }
      return seed;
    }
  }

  @Test
  void the_same_seed_tells_the_same_story() throws SQLException {
    try (Theatre theatre = new Theatre()) {
      for (long seed = 1; seed <= 5; seed++) {
        Simulation.Outcome first = theatre.play(seed);
        assertThat(first.lines()).isGreaterThan(100);
        assertThat(theatre.play(seed).hash()).as("seed %d", seed).isEqualTo(first.hash());
      }
    }
  }

  /** A database and its connections, for one schedule after the other. */
  private static final class Theatre implements AutoCloseable {
    private final SimDatabase database = new SimDatabase();
    private final BreakingConnections connections = new BreakingConnections(database);

    Theatre() throws SQLException {}

    Simulation.Outcome play(long seed) {
      return Simulation.play(
          seed,
          Bug.NONE,
          faults -> {
            try {
              return new PgStage(database, connections, faults);
            } catch (SQLException e) {
              throw new IllegalStateException(e);
            }
          });
    }

    @Override
    public void close() throws SQLException {
      connections.close();
      database.close();
    }
  }
}
