package dev.millrace.worker.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.spi.executor.JobFailure;
import dev.millrace.worker.fake.FakeJob;
import dev.millrace.worker.fake.FakeMillrace;
import dev.millrace.worker.fake.Rig;
import dev.millrace.worker.fake.TestExecutor;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker that may be ill says so, rests, and goes on saying so as long as it lasts. */
class WorkerDoubtTest {

  /** The least that a server can be told to wait before it forgets a worker. */
  private static final Duration SHORTEST_SILENCE = Duration.ofSeconds(60);

  @TempDir private Path place;
  private final FakeMillrace server = new FakeMillrace();

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void a_lease_that_was_lost_while_nothing_moved_is_followed_by_a_rest() {
    server.leases(1, 0.2);
    TestExecutor hung =
        new TestExecutor(
            "test",
            (job, _) -> {
              job.pause(Duration.ofMinutes(5));
              return TestExecutor.text("never");
            });
    try (Rig rig = new Rig(server, place, 1, hung)) {
      FakeJob job = server.submit(new FakeJob("demo"));
      long until = System.nanoTime() + Duration.ofSeconds(2).toNanos();
      await().until(() -> System.nanoTime() - until > 0);
      server.takeAway(job);
      await().until(() -> rig.logged().contains("worker.not_ready"));
      assertThat(rig.logged()).contains("lease.lost");
    }
  }

  @Test
  void work_that_moved_until_its_lease_was_lost_is_not_doubted() {
    server.leases(1, 0.2);
    TestExecutor moving =
        new TestExecutor(
            "test",
            (job, _) -> {
              for (int i = 0; i < 6_000; i++) {
                job.progress(i % 100, "working", "Step " + i);
                job.pause(Duration.ofMillis(50));
              }
              return TestExecutor.text("never");
            });
    try (Rig rig = new Rig(server, place, 1, moving)) {
      FakeJob job = server.submit(new FakeJob("demo"));
      long until = System.nanoTime() + Duration.ofSeconds(2).toNanos();
      await().until(() -> System.nanoTime() - until > 0);
      server.takeAway(job);
      await().until(() -> rig.logged().contains("job.stopped"));
      await().until(() -> rig.worker().running() == 0);
      assertThat(rig.logged()).doesNotContain("worker.not_ready");
    }
  }

  @Test
  void different_jobs_that_fail_one_after_the_other_make_the_worker_rest() {
    TestExecutor failing =
        new TestExecutor(
            "test",
            (_, _) -> {
              throw JobFailure.retryable("no idea why");
            });
    try (Rig rig = new Rig(server, place, 1, failing)) {
      List<FakeJob> jobs = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        jobs.add(server.submit(new FakeJob("demo")));
      }
      await().until(() -> server.notReady().contains("5 jobs in a row"));
      assertThat(server.attempts(jobs.getLast())).isZero();
      await().until(() -> server.state(jobs.getLast()).equals("failed:retryable"));
      assertThat(rig.ended()).isNull();
    }
  }

  @Test
  void failures_between_which_jobs_succeed_are_the_jobs_own() {
    TestExecutor mixed =
        new TestExecutor(
            "test",
            (_, input) -> {
              if (input.isEmpty()) {
                throw JobFailure.retryable("no idea why");
              }
              return TestExecutor.text("done");
            });
    try (Rig rig = new Rig(server, place, 1, mixed)) {
      List<FakeJob> jobs = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        FakeJob job = new FakeJob("demo");
        jobs.add(server.submit(i % 4 == 3 ? job.input(Map.of("x", 1)) : job));
      }
      await().until(() -> server.state(jobs.getLast()).equals("completed"));
      assertThat(rig.logged()).doesNotContain("worker.not_ready");
    }
  }

  @Test
  void a_worker_that_is_not_ready_goes_on_saying_so_before_it_would_be_forgotten() {
    TestExecutor executor = new TestExecutor("test", (_, _) -> TestExecutor.text("done"));
    executor.ready(false);
    try (Rig rig = new Rig(server, place, 1, executor)) {
      await().until(() -> server.notReady().contains("isn't ready") && server.calls("poll") > 1);
      long before = server.calls("poll");
      await().atMost(SHORTEST_SILENCE.dividedBy(3)).until(() -> server.calls("poll") > before);
      assertThat(server.notReady()).contains("isn't ready");
      assertThat(rig.ended()).isNull();
    }
  }

  @Test
  void an_executor_knows_how_much_time_its_attempt_has() {
    server.deadline(600);
    CompletableFuture<Optional<Duration>> seen = new CompletableFuture<>();
    TestExecutor executor =
        new TestExecutor(
            "test",
            (job, _) -> {
              seen.complete(job.timeLeft());
              return TestExecutor.text("done");
            });
    try (Rig rig = new Rig(server, place, 1, executor)) {
      server.submit(new FakeJob("demo"));
      await().until(seen::isDone);
      assertThat(seen.join().orElseThrow())
          .isBetween(Duration.ofSeconds(540), Duration.ofSeconds(601));
      assertThat(rig.ended()).isNull();
    }
  }
}
