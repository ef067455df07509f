package dev.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.testkit.ExampleJar;
import dev.millrace.testkit.aws.FakeAutoScaling;
import dev.millrace.testkit.aws.FakeImds;
import dev.millrace.worker.fake.FakeJob;
import dev.millrace.worker.fake.FakeMillrace;
import dev.millrace.worker.fake.WorkerProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The worker as a real process: signals, crashes, Spot notices, and executors from jars. */
class WorkerEndToEndTest {

  private static final Duration LONG = Duration.ofSeconds(60);

  @TempDir private Path place;
  private final FakeMillrace server = new FakeMillrace();
  private Map<String, String> settings = Map.of();

  @BeforeEach
  void prepare() {
    settings = WorkerProgram.settings(server, place);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void help_lists_the_settings_and_mistakes_are_told_all_at_once() throws Exception {
    try (WorkerProgram help = WorkerProgram.start(Map.of(), place, "--help");
        WorkerProgram wrong = WorkerProgram.start(Map.of("SLOTS", "0", "WORKFLOW", "x"), place)) {
      assertThat(help.exit()).isZero();
      assertThat(help.output()).contains("MILLRACE_URL", "COMMAND_KILL_SECONDS");
      assertThat(wrong.exit()).isEqualTo(2);
      assertThat(wrong.output())
          .contains("MILLRACE_URL is not set", "SLOTS must be", "did you mean WORKFLOWS?");
    }
  }

  @Test
  void sigterm_lets_a_job_finish_and_takes_leave() throws Exception {
    Path go = place.resolve("go");
    settings.put(
        "COMMAND", begins("while [ ! -e " + go + " ]; do sleep 0.1; done; env > out/a.txt"));
    try (WorkerProgram worker = WorkerProgram.start(settings, place)) {
      FakeJob job = server.submit(new FakeJob("demo"));
      awaitBegin();
      worker.terminate();
      await().atMost(LONG).until(() -> worker.output().contains("worker.draining"));
      Files.writeString(go, "");
      assertThat(worker.exit()).isEqualTo(143);
      assertThat(server.state(job)).isEqualTo("completed");
      assertThat(server.calls()).endsWith("deregister");
      assertThat(left()).isEmpty();
      assertThat(new String(server.content(job, 0), StandardCharsets.UTF_8))
          .as("what the program saw of the environment")
          .contains("PATH=")
          .doesNotContain(FakeMillrace.SECRET);
    }
  }

  @Test
  void sigterm_requeues_what_does_not_end_in_time() throws Exception {
    settings.put("COMMAND", begins("sleep 600"));
    settings.put("DRAIN_SECONDS", "0");
    try (WorkerProgram worker = WorkerProgram.start(settings, place)) {
      FakeJob job = server.submit(new FakeJob("demo"));
      awaitBegin();
      worker.terminate();
      assertThat(worker.exit()).isEqualTo(143);
      assertThat(server.state(job)).isEqualTo("queued");
      assertThat(server.reason(job)).isEqualTo("shutdown");
      assertThat(left()).isEmpty();
    }
  }

  @Test
  void a_killed_worker_comes_back_as_the_same_one_with_the_same_attempt() {
    settings.put(
        "COMMAND", begins("[ -e " + place.resolve("go") + " ] || sleep 600; echo a > out/a"));
    try (WorkerProgram killed = WorkerProgram.start(settings, place)) {
      FakeJob job = server.submit(new FakeJob("demo"));
      awaitBegin();
      await().atMost(LONG).until(() -> !server.heartbeats(job).isEmpty());
      killed.kill();
      await().atMost(LONG).until(killed::isOver);
      assertThat(left()).isNotEmpty();
      create(place.resolve("go"));
      try (WorkerProgram again = WorkerProgram.start(settings, place)) {
        await().atMost(LONG).until(() -> server.state(job).equals("completed"));
        assertThat(server.attempts(job)).isEqualTo(1);
        assertThat(server.registrations()).hasSize(1);
        await().until(() -> left().isEmpty());
        assertThat(again.output()).contains("job.resumed");
      }
    }
  }

  @Test
  void a_worker_whose_token_was_rotated_goes_on_with_the_new_one() {
    settings.put("COMMAND", script("echo a > out/a"));
    try (WorkerProgram old = WorkerProgram.start(settings, place)) {
      await().atMost(LONG).until(() -> server.registrations().size() == 1);
      settings.put("WORKER_TOKEN", server.rotate());
      old.kill();
      await().atMost(LONG).until(old::isOver);
      try (WorkerProgram again = WorkerProgram.start(settings, place)) {
        FakeJob job = server.submit(new FakeJob("demo"));
        await().atMost(LONG).until(() -> server.state(job).equals("completed"));
        assertThat(server.registrations()).hasSize(1);
        assertThat(again.output()).contains("worker.resumed").doesNotContain("mrw_");
      }
    }
  }

  @Test
  void a_spot_notice_requeues_at_once_ends_the_worker_and_lets_the_instance_go() throws Exception {
    settings.put("COMMAND", begins("sleep 600"));
    settings.put("SPOT", "on");
    settings.put("SPOT_POLL_MILLIS", "50");
    settings.put("SCALE_IN_PROTECTION", "on");
    settings.remove("WORKER_ID");
    try (FakeImds imds = new FakeImds();
        FakeAutoScaling scaling = new FakeAutoScaling(FakeImds.INSTANCE)) {
      settings.put("AWS_EC2_METADATA_SERVICE_ENDPOINT", imds.url().toString());
      settings.put("AWS_ENDPOINT_URL", scaling.url().toString());
      settings.put("AWS_ACCESS_KEY_ID", "AKIATEST");
      settings.put("AWS_SECRET_ACCESS_KEY", "secret");
      try (WorkerProgram worker = onEc2()) {
        FakeJob job = server.submit(new FakeJob("demo"));
        awaitBegin();
        await().atMost(LONG).until(() -> scaling.protections().contains(true));
        imds.interrupt();
        assertThat(worker.exit()).isZero();
        assertThat(server.reason(job)).isEqualTo("spot");
        assertThat(server.calls()).endsWith("deregister");
        assertThat(server.registrations().getFirst().path("worker_id").asString(""))
            .isEqualTo(FakeImds.INSTANCE);
        assertThat(scaling.protections()).endsWith(false);
      }
    }
  }

  @Test
  void the_example_of_an_executor_in_java_compiles_and_runs_a_job() {
    ExampleJar.build(
        Path.of("../examples/java-executor/src/main"), place, place.resolve("jars/reverse.jar"));
    settings.put("EXECUTORS_DIR", place.resolve("jars").toString());
    try (WorkerProgram worker = WorkerProgram.start(settings, place)) {
      FakeJob job = server.submit(new FakeJob("demo").input(Map.of("text", "fox")));
      await().atMost(LONG).until(() -> server.state(job).equals("completed"));
      assertThat(new String(server.content(job, 0), StandardCharsets.UTF_8)).isEqualTo("xof");
      FakeJob named = server.submit(new FakeJob("demo").with("provider", "reverse"));
      await().atMost(LONG).until(() -> server.state(named).equals("failed:permanent"));
      assertThat(worker.output()).contains("names=reverse");
    }
  }

  @Test
  void no_prompt_token_or_signature_is_in_the_log() {
    settings.put("COMMAND", script("echo '{\"error\": \"canary in an error\"}'; exit 1"));
    try (WorkerProgram worker = WorkerProgram.start(settings, place)) {
      FakeJob job =
          server.submit(
              new FakeJob("demo")
                  .input(Map.of("prompt", "canary in a prompt"))
                  .with("assets", List.of(server.asset("image", new byte[3], "image/png"))));
      await().atMost(LONG).until(() -> server.state(job).equals("failed:retryable"));
      await().atMost(LONG).until(() -> worker.output().contains("job.reported"));
      assertThat(worker.output()).doesNotContain("canary", "mrw_", FakeMillrace.SECRET);
    }
  }

  /**
   * A worker that has found out where it is. It gives the metadata service two seconds, and where
   * that is not enough for the first call of a new process, the next one begins anew.
   */
  private WorkerProgram onEc2() {
    WorkerProgram worker = WorkerProgram.start(settings, place);
    for (int i = 0; i < 5; i++) {
      WorkerProgram now = worker;
      await().atMost(LONG).until(() -> now.isOver() || now.output().contains("worker.registered"));
      if (!now.isOver() || !now.output().contains("worker.cannot_start")) {
        break;
      }
      worker = WorkerProgram.start(settings, place);
    }
    return worker;
  }

  private static String script(String text) {
    return "sh -c '" + text.replace("'", "'\\''") + "'";
  }

  /** A program that can be waited for. */
  private String begins(String text) {
    return script("touch " + place.resolve("begun") + "; " + text);
  }

  /**
   * Until the program runs. That the server gave the job away is not enough: a worker that is told
   * to end before the answer reached it never has the job, and it goes back with its leave.
   */
  private void awaitBegin() {
    await().atMost(LONG).until(() -> Files.exists(place.resolve("begun")));
  }

  /** Files of jobs, which should be gone. */
  private List<Path> left() {
    // No deeper: a walk stumbles over what the worker removes meanwhile.
    try (Stream<Path> files = Files.list(place.resolve("work/scratch"))) {
      return files.toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void create(Path file) {
    try {
      Files.writeString(file, "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
