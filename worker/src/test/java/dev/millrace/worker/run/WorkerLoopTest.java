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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker takes jobs, runs them, and says how they ended. */
class WorkerLoopTest {

  @TempDir private Path place;
  private final FakeMillrace server = new FakeMillrace();

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void a_job_is_run_and_its_file_is_stored_before_it_is_complete() {
    TestExecutor painter =
        new TestExecutor(
            "test",
            (job, input) -> {
              Path file = job.folder().resolve("picture.png");
              write(file, "picture of " + input.get("prompt"));
              return List.of(new Produced.Stored(file, "image/png"));
            });
    try (Rig rig = new Rig(server, place, 1, painter)) {
      FakeJob job = server.submit(new FakeJob("demo").input(Map.of("prompt", "a fox")));
      await().until(() -> server.state(job).equals("completed"));
      assertThat(new String(server.content(job, 0), StandardCharsets.UTF_8))
          .isEqualTo("picture of a fox");
      await().until(() -> rig.scratch().isEmpty());
    }
  }

  @Test
  void a_worker_says_what_it_can_do_when_it_registers() {
    try (Rig rig = new Rig(server, place, 3, new TestExecutor("test", (_, _) -> text("x")))) {
      await().until(() -> !server.registrations().isEmpty());
      assertThat(server.registrations().getFirst().toString())
          .contains("\"worker_id\":\"w-1\"", "\"max_concurrency\":3", "[\"demo\"]", "[\"test\"]");
      assertThat(rig.ended()).isNull();
    }
  }

  @Test
  void as_many_jobs_run_at_once_as_there_are_slots_and_no_more() {
    CountDownLatch latch = new CountDownLatch(1);
    TestExecutor waiting = TestExecutor.waiting(latch);
    try (Rig rig = new Rig(server, place, 2, waiting)) {
      List<FakeJob> jobs =
          List.of(
              server.submit(new FakeJob("demo")),
              server.submit(new FakeJob("demo")),
              server.submit(new FakeJob("demo")));
      await().until(() -> waiting.started() == 2);
      assertThat(rig.worker().running()).isEqualTo(2);
      assertThat(server.state(jobs.get(2))).isEqualTo("queued");
      latch.countDown();
      await().until(() -> jobs.stream().allMatch(job -> server.state(job).equals("completed")));
    }
  }

  @Test
  void a_failure_is_reported_with_its_kind_and_the_worker_goes_on() {
    TestExecutor picky =
        new TestExecutor(
            "test",
            (_, input) -> {
              String say = String.valueOf(input.get("say"));
              if (say.equals("bug")) {
                throw new IllegalStateException("a bug");
              }
              throw JobFailure.of(JobFailure.Kind.valueOf(say.toUpperCase(Locale.ROOT)), "no");
            });
    try (Rig rig = new Rig(server, place, 1, picky)) {
      for (String kind : List.of("permanent", "safety", "retryable")) {
        FakeJob job = server.submit(new FakeJob("demo").input(Map.of("say", kind)));
        await().until(() -> server.state(job).equals("failed:" + kind));
      }
      FakeJob bug = server.submit(new FakeJob("demo").input(Map.of("say", "bug")));
      await().until(() -> server.state(bug).equals("failed:retryable"));
      await().until(() -> rig.scratch().isEmpty());
    }
  }

  @Test
  void a_job_for_an_executor_that_is_not_here_can_be_tried_elsewhere() {
    try (Rig rig = new Rig(server, place, 1, new TestExecutor("test", (_, _) -> text("x")))) {
      FakeJob job = server.submit(new FakeJob("demo").with("provider", "other"));
      await().until(() -> server.state(job).equals("failed:retryable"));
      assertThat(server.reason(job)).contains("no executor 'other'");
      assertThat(rig.ended()).isNull();
    }
  }

  @Test
  void an_output_that_the_server_refuses_fails_the_job() {
    server.refuseOutputs();
    try (Rig rig = new Rig(server, place, 1, new TestExecutor("test", (_, _) -> text("x")))) {
      FakeJob job = server.submit(new FakeJob("demo"));
      await().until(() -> server.state(job).equals("failed:permanent"));
      assertThat(server.reason(job)).contains("invalid_request");
      assertThat(rig.ended()).isNull();
    }
  }

  @Test
  void progress_reaches_the_server_and_the_newest_wins() {
    CountDownLatch latch = new CountDownLatch(1);
    TestExecutor telling =
        new TestExecutor(
            "test",
            (job, _) -> {
              for (int percent = 0; percent < 50; percent++) {
                job.progress(percent, "loading", "Loading");
              }
              job.progress(140, "sampling", "Sampling");
              job.summary("seed", 7);
              latch.await();
              return text("x");
            });
    try (Rig rig = new Rig(server, place, 1, telling)) {
      FakeJob job = server.submit(new FakeJob("demo"));
      await()
          .untilAsserted(() ->
              assertThat(server.heartbeats(job).toString())
                  .contains("\"progress\":100", "\"sampling\"", "\"seed\":7"));
      // What comes sooner than it may be sent is replaced by what comes after it.
      assertThat(server.heartbeats(job))
          .filteredOn(beat -> beat.toString().contains("loading"))
          .hasSizeLessThan(10);
      latch.countDown();
      await().until(() -> server.state(job).equals("completed"));
      assertThat(rig.ended()).isNull();
    }
  }

  @Test
  void a_worker_whose_executor_is_not_ready_leaves_the_jobs_to_others() {
    TestExecutor executor = new TestExecutor("test", (_, _) -> text("x"));
    executor.ready(false);
    try (Rig rig = new Rig(server, place, 1, executor)) {
      FakeJob job = server.submit(new FakeJob("demo"));
      await().until(() -> rig.logged().contains("worker.not_ready"));
      assertThat(server.state(job)).isEqualTo("queued");
      executor.ready(true);
      await().until(() -> server.state(job).equals("completed"));
    }
  }

  @Test
  void inputs_are_downloaded_once_verified_and_their_ended_addresses_renewed() {
    AtomicInteger bytes = new AtomicInteger();
    TestExecutor reader =
        new TestExecutor(
            "test",
            (job, _) -> {
              server.endUrls();
              bytes.set(read(job.fetch(job.assets().getFirst())).length);
              job.fetch(job.assets().getFirst());
              return text("x");
            });
    try (Rig rig = new Rig(server, place, 1, reader)) {
      Map<String, Object> asset = server.asset("image", new byte[1234], "image/png");
      FakeJob job = server.submit(new FakeJob("demo").with("assets", List.of(asset)));
      await().until(() -> server.state(job).equals("completed"));
      assertThat(bytes).hasValue(1234);
      assertThat(rig.logged()).doesNotContain("canary");
    }
  }

  @Test
  void an_input_with_another_checksum_is_never_used() {
    TestExecutor reader =
        new TestExecutor("test", (job, _) -> text("used " + job.fetch(job.assets().getFirst())));
    Map<String, Object> asset = server.asset("image", new byte[7], "image/png");
    server.spoil(asset);
    try (Rig rig = new Rig(server, place, 1, reader)) {
      FakeJob job = server.submit(new FakeJob("demo").with("assets", List.of(asset)));
      await().until(() -> server.state(job).startsWith("failed"));
      assertThat(server.reason(job)).contains("checksum");
      await().until(() -> rig.scratch().isEmpty());
    }
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static byte[] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
