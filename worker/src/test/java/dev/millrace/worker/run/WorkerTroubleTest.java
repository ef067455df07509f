package dev.millrace.worker.run;

import static dev.millrace.worker.fake.TestExecutor.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.spi.executor.JobFailure;
import dev.millrace.spi.executor.Produced;
import dev.millrace.worker.fake.FakeJob;
import dev.millrace.worker.fake.FakeMillrace;
import dev.millrace.worker.fake.Rig;
import dev.millrace.worker.fake.TestExecutor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What a worker does when the server, the lease, or the worker itself goes away. */
class WorkerTroubleTest {

  @TempDir private Path place;
  private final FakeMillrace server = new FakeMillrace();
  private final CountDownLatch latch = new CountDownLatch(1);
  private final TestExecutor waiting = TestExecutor.waiting(latch);

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void a_running_job_survives_an_outage_of_the_server() {
    server.leases(120, 0.2);
    try (Rig rig = new Rig(server, place, 1, waiting)) {
      FakeJob job = server.submit(new FakeJob("demo"));
      await().until(() -> waiting.started() == 1);
      server.die();
      await().until(() -> rig.logged().contains("heartbeat.failed"));
      latch.countDown();
      await().until(() -> rig.logged().contains("report.failed"));
      server.comeBack();
      await().until(() -> server.state(job).equals("completed"));
      assertThat(server.attempts(job)).isEqualTo(1);
    }
  }

  @Test
  void work_stops_when_the_lease_has_ended_without_a_heartbeat() {
    server.leases(1, 0.2);
    AtomicBoolean stopped = new AtomicBoolean();
    TestExecutor executor = endless(stopped);
    try (Rig rig = new Rig(server, place, 1, executor)) {
      server.submit(new FakeJob("demo"));
      await().until(() -> executor.started() >= 1);
      server.die();
      await().untilTrue(stopped);
      await().until(() -> rig.scratch().isEmpty());
      assertThat(rig.logged()).contains("lease.lost", "why=lease_lost");
      server.comeBack();
    }
  }

  @Test
  void a_stale_lease_stops_the_work_and_nothing_is_reported() {
    AtomicBoolean stopped = new AtomicBoolean();
    TestExecutor executor = endless(stopped);
    try (Rig rig = new Rig(server, place, 1, executor)) {
      FakeJob job = server.submit(new FakeJob("demo"));
      await().until(() -> executor.started() == 1);
      server.takeAway(job);
      await().untilTrue(stopped);
      await().until(() -> rig.worker().running() == 0);
      assertThat(server.calls()).doesNotContain("fail", "complete", "requeue", "canceled");
    }
  }

  @Test
  void a_cancel_stops_the_work_and_is_acknowledged() {
    AtomicBoolean stopped = new AtomicBoolean();
    TestExecutor executor = endless(stopped);
    try (Rig rig = new Rig(server, place, 1, executor)) {
      FakeJob job = server.submit(new FakeJob("demo"));
      await().until(() -> executor.started() == 1);
      server.cancel(job);
      await().until(() -> server.state(job).equals("canceled"));
      assertThat(stopped).isTrue();
      await().until(() -> rig.scratch().isEmpty());
    }
  }

  @Test
  void a_lost_answer_to_a_completion_is_asked_for_again() {
    server.loseAnswerOf("complete");
    try (Rig rig = new Rig(server, place, 1, new TestExecutor("test", (_, _) -> text("x")))) {
      FakeJob job = server.submit(new FakeJob("demo"));
      await().until(() -> server.calls("complete") == 2);
      await().until(() -> rig.logged().contains("state=completed"));
      assertThat(server.attempts(job)).isEqualTo(1);
    }
  }

  @Test
  void a_lost_answer_is_asked_for_also_when_a_heartbeat_was_stale_meanwhile() {
    server.loseAnswerOf("complete", latch);
    try (Rig rig = new Rig(server, place, 1, new TestExecutor("test", (_, _) -> text("x")))) {
      FakeJob job = server.submit(new FakeJob("demo"));
      await().until(() -> rig.logged().contains("lease.lost"));
      latch.countDown();
      await().until(() -> rig.logged().contains("state=completed"));
      assertThat(rig.logged()).doesNotContain("job.report_lost");
      assertThat(server.calls("complete")).isEqualTo(2);
      assertThat(server.attempts(job)).isEqualTo(1);
    }
  }

  @Test
  void a_full_server_is_asked_again() {
    server.refuseOnce("register");
    server.refuseOnce("poll");
    server.refuseOnce("complete");
    try (Rig rig = new Rig(server, place, 1, new TestExecutor("test", (_, _) -> text("x")))) {
      FakeJob job = server.submit(new FakeJob("demo"));
      await().until(() -> server.state(job).equals("completed"));
      assertThat(rig.ended()).isNull();
    }
  }

  @Test
  void a_drained_worker_lets_its_job_end_within_the_grace_and_deregisters() {
    try (Rig rig = new Rig(server, place, 1, waiting)) {
      FakeJob job = server.submit(new FakeJob("demo"));
      await().until(() -> waiting.started() == 1);
      rig.drain(Why.SHUTDOWN, Duration.ofMinutes(1));
      FakeJob next = server.submit(new FakeJob("demo"));
      latch.countDown();
      await().until(rig::isOver);
      assertThat(server.state(job)).isEqualTo("completed");
      assertThat(server.state(next)).isEqualTo("queued");
      assertThat(server.calls()).endsWith("deregister");
    }
  }

  @Test
  void a_drained_worker_requeues_what_cannot_end_in_time() {
    try (Rig rig = new Rig(server, place, 1, waiting)) {
      FakeJob job = server.submit(new FakeJob("demo"));
      await().until(() -> waiting.started() == 1);
      rig.drain(Why.SHUTDOWN, Duration.ofMillis(100));
      await().until(rig::isOver);
      assertThat(server.state(job)).isEqualTo("queued");
      assertThat(server.reason(job)).isEqualTo("shutdown");
      assertThat(rig.scratch()).isEmpty();
    }
  }

  @Test
  void a_spot_notice_shortens_a_drain_that_is_under_way() {
    try (Rig rig = new Rig(server, place, 1, waiting)) {
      FakeJob job = server.submit(new FakeJob("demo"));
      await().until(() -> waiting.started() == 1);
      rig.drain(Why.SHUTDOWN, Duration.ofHours(1));
      rig.drain(Why.SPOT, Duration.ZERO);
      await().until(rig::isOver);
      assertThat(server.reason(job)).isEqualTo("spot");
    }
  }

  @Test
  void a_revoked_worker_stops_its_work_and_ends() {
    try (Rig rig = new Rig(server, place, 2, waiting)) {
      server.submit(new FakeJob("demo"));
      await().until(() -> waiting.started() == 1);
      server.revoke("w-1");
      server.submit(new FakeJob("demo"));
      await().until(rig::isOver);
      assertThat(rig.ended()).hasMessageContaining("revoked");
      assertThat(rig.scratch()).isEmpty();
    }
  }

  @Test
  void a_worker_that_the_server_has_forgotten_registers_again() {
    try (Rig rig = new Rig(server, place, 1, new TestExecutor("test", (_, _) -> text("x")))) {
      FakeJob first = server.submit(new FakeJob("demo"));
      await().until(() -> server.state(first).equals("completed"));
      server.forgetWorkers();
      server.submit(new FakeJob("demo"));
      FakeJob job = server.submit(new FakeJob("demo"));
      await().until(() -> server.state(job).equals("completed"));
      assertThat(server.registrations()).hasSize(2);
      assertThat(rig.ended()).isNull();
    }
  }

  @Test
  void a_wrong_fleet_secret_and_a_taken_id_end_the_worker_with_a_reason() {
    try (Rig first = new Rig(server, place.resolve("a"), 1, waiting)) {
      await().until(() -> server.registrations().size() == 1);
      try (Rig second = new Rig(server, place.resolve("b"), 1, waiting)) {
        await().until(second::isOver);
        assertThat(second.ended()).hasMessageContaining("WORKER_ID");
      }
      assertThat(first.ended()).isNull();
    }
  }

  @Test
  void a_restarted_worker_goes_on_with_the_attempt_it_had() {
    Rig killed = new Rig(server, place, 1, waiting);
    FakeJob job = server.submit(new FakeJob("demo"));
    await().until(() -> waiting.started() == 1);
    killed.kill();
    TestExecutor quick = new TestExecutor("test", (_, _) -> text("x"));
    try (Rig rig = new Rig(server, place, 1, quick)) {
      await().until(() -> server.state(job).equals("completed"));
      assertThat(server.attempts(job)).isEqualTo(1);
      assertThat(server.registrations()).hasSize(1);
      assertThat(rig.logged()).contains("worker.resumed", "job.resumed");
    }
  }

  @Test
  void left_overs_of_a_crashed_predecessor_are_removed_at_the_start() throws IOException {
    Path left = Files.createDirectories(place.resolve("scratch/old/in"));
    Files.writeString(left.resolve("picture.png"), "left over");
    try (Rig rig = new Rig(server, place, 1, waiting)) {
      assertThat(rig.scratch()).isEmpty();
    }
  }

  @Test
  void a_large_output_goes_in_parts_and_outlives_its_addresses_and_a_failure() {
    server.takeParts(10, 3);
    server.failUploads(1);
    try (Rig rig = new Rig(server, place, 1, painter("0123456789".repeat(4) + "end"))) {
      FakeJob job = server.submit(new FakeJob("demo").input(Map.of()));
      await().until(() -> server.state(job).equals("completed"));
      JsonNode output = server.outputs(job).getFirst();
      assertThat(output.path("parts")).hasSize(5);
      assertThat(server.stored(output.path("key").asString("")))
          .asString(StandardCharsets.UTF_8)
          .isEqualTo("0123456789".repeat(4) + "end");
      assertThat(server.calls("upload")).isEqualTo(1);
      assertThat(server.calls("upload/parts")).isEqualTo(2);
      assertThat(rig.logged()).doesNotContain("canary", "mrw_");
    }
  }

  private static TestExecutor painter(String content) {
    return new TestExecutor(
        "test",
        (job, _) -> {
          Path file = job.folder().resolve("x.png");
          try {
            Files.writeString(file, content);
          } catch (IOException e) {
            throw new IllegalStateException(e);
          }
          return List.of(new dev.millrace.spi.executor.Produced.Stored(file, "image/png"));
        });
  }

  @Test
  void uploads_that_fail_are_tried_again_with_a_fresh_address() {
    server.failUploads(2);
    try (Rig rig = new Rig(server, place, 1, painter("x"))) {
      FakeJob job = server.submit(new FakeJob("demo").input(Map.of()));
      await().until(() -> server.state(job).equals("completed"));
      assertThat(server.calls("upload")).isEqualTo(3);
      assertThat(rig.logged()).doesNotContain("canary", "mrw_");
    }
  }

  /** Works until it is stopped. */
  private static TestExecutor endless(AtomicBoolean stopped) {
    return new TestExecutor(
        "test",
        (job, _) -> {
          try {
            while (true) {
              job.pause(Duration.ofSeconds(30));
            }
          } finally {
            stopped.set(job.stopped());
          }
        });
  }

  @Test
  void a_worker_that_had_to_give_a_job_back_says_so_before_it_takes_another() {
    AtomicBoolean ill = new AtomicBoolean(true);
    TestExecutor executor =
        new TestExecutor(
            "test",
            (_, _) -> {
              if (ill.get()) {
                throw JobFailure.interrupted("the backend at http://gpu-7.internal:8188 is away");
              }
              return TestExecutor.text("done");
            });
    try (Rig rig = new Rig(server, place, 1, executor)) {
      FakeJob job = server.submit(new FakeJob("demo"));
      await().until(() -> server.notReady().contains("give its last job back"));
      assertThat(server.reason(job)).doesNotContain("gpu-7");
      ill.set(false);
      await().until(() -> server.state(job).equals("completed"));
      assertThat(server.interruptions(job)).isPositive();
      assertThat(rig.ended()).isNull();
    }
  }

  @Test
  void a_finished_output_waits_for_a_store_that_is_away_and_is_not_made_again() {
    server.failUploads(9);
    TestExecutor executor =
        new TestExecutor(
            "test",
            (job, _) -> {
              try {
                Path file = Files.writeString(job.folder().resolve("out"), "made once");
                return List.of(new Produced.Stored(file, "text/plain"));
              } catch (IOException e) {
                throw JobFailure.retryable("no room");
              }
            });
    try (Rig rig = new Rig(server, place, 1, executor)) {
      FakeJob job = server.submit(new FakeJob("demo"));
      await().until(() -> server.state(job).equals("completed"));
      assertThat(executor.started()).isEqualTo(1);
      assertThat(rig.ended()).isNull();
    }
  }
}
