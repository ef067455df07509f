package dev.millrace.worker.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.worker.fake.FakeJob;
import dev.millrace.worker.fake.FakeMillrace;
import dev.millrace.worker.fake.Rig;
import dev.millrace.worker.settings.WorkerSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs as executors: real processes, small scripts. */
class CommandExecutorTest {

  @TempDir private Path place;
  private final FakeMillrace server = new FakeMillrace();
  private Duration stall = Duration.ZERO;

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void the_python_example_gets_its_files_tells_its_progress_and_delivers_its_output() {
    Path script = Path.of("../examples/python-command/stylise.py").toAbsolutePath();
    try (Rig rig = rig("python3", script.toString())) {
      FakeJob job =
          server.submit(
              new FakeJob("demo")
                  .input(Map.of("text", "hello ü"))
                  .with("assets", List.of(server.asset("photo", new byte[42], "image/png"))));
      await().until(() -> server.state(job).equals("completed"));
      assertThat(text(job)).isEqualTo("HELLO Ü\nphoto: 42 bytes");
      assertThat(server.outputs(job).getFirst().path("media_type").asString(""))
          .isEqualTo("text/plain");
      FakeJob empty = server.submit(new FakeJob("demo").input(Map.of("text", "")));
      await().until(() -> server.state(empty).startsWith("failed"));
      assertThat(server.state(empty)).isEqualTo("failed:permanent");
      assertThat(server.reason(empty)).isEqualTo("the text is missing");
      await().until(() -> rig.scratch().isEmpty());
    }
  }

  @Test
  void every_file_in_the_output_folder_is_an_output_unless_the_program_names_them() {
    FakeJob all = run("printf b > out/b.json; printf a > out/a.png");
    assertThat(server.outputs(all))
        .extracting(o -> o.path("media_type").asString(""))
        .containsExactly("image/png", "application/json");
    FakeJob named =
        run("printf b > out/b.json; printf a > out/a.png; echo '{\"output\": \"b.json\"}'");
    assertThat(server.outputs(named)).hasSize(1);
    FakeJob text = run("echo chatter; echo '{\"text\": \"a caption\"}'");
    assertThat(server.outputs(text).toString()).contains("\"text\":\"a caption\"");
  }

  @Test
  void a_crash_can_be_retried_and_a_refused_input_can_not() {
    assertThat(server.state(run("exit 3"))).isEqualTo("failed:retryable");
    assertThat(server.state(run("kill -9 $$"))).isEqualTo("failed:retryable");
    assertThat(server.state(run("exit 65"))).isEqualTo("failed:permanent");
    assertThat(server.state(run("true"))).isEqualTo("failed:permanent");
    assertThat(server.state(run("echo '{\"error\":\"nudity\",\"class\":\"safety\"}'; exit 1")))
        .isEqualTo("failed:safety");
  }

  @Test
  void an_output_outside_of_its_folder_or_behind_a_link_is_refused() {
    FakeJob outside = run("printf x > secret; echo '{\"output\": \"../secret\"}'");
    assertThat(server.state(outside)).isEqualTo("failed:permanent");
    FakeJob link = run("printf x > secret; ln -s ../secret out/link; echo '{\"output\":\"link\"}'");
    assertThat(server.state(link)).isEqualTo("failed:permanent");
  }

  @Test
  void an_output_that_grows_beyond_the_limit_is_cut_off() {
    // It would not end by itself; more than enough is written, and not all that the disk takes.
    FakeJob job = run("yes x | head -c 9000000 > out/growing.txt; sleep 600");
    assertThat(server.state(job)).isEqualTo("failed:permanent");
    assertThat(server.reason(job)).contains("larger");
  }

  @Test
  void a_cancel_kills_the_program_with_all_it_started() throws IOException {
    Path pids = place.resolve("pids");
    // The child of the child would survive if only the program itself were killed.
    String script =
        "trap '' TERM; (sh -c 'echo $$ >> %s; exec sleep 600' &) ; echo $$ >> %s; sleep 600"
            .formatted(pids, pids);
    try (Rig rig = rig("sh", "-c", script)) {
      FakeJob job = server.submit(new FakeJob("demo"));
      await().until(() -> Files.exists(pids) && Files.readAllLines(pids).size() == 2);
      List<String> started = Files.readAllLines(pids);
      server.cancel(job);
      await().until(() -> server.state(job).equals("canceled"));
      for (String pid : started) {
        Optional<ProcessHandle> handle = ProcessHandle.of(Long.parseLong(pid));
        await().until(() -> handle.map(ProcessHandle::isAlive).orElse(false).equals(false));
      }
      await().until(() -> rig.scratch().isEmpty());
    }
  }

  @Test
  void a_program_that_leaves_something_running_does_not_hold_up_its_job() {
    FakeJob job = run("sleep 600 & printf x > out/x.txt");
    assertThat(server.state(job)).isEqualTo("completed");
  }

  @Test
  void the_program_never_sees_the_workers_own_settings() {
    assertThat(WorkerSettings.names()).contains("MILLRACE_FLEET_SECRET", "COMFY_CLOUD_API_KEY");
    FakeJob job = run("env > out/env.txt");
    assertThat(text(job)).contains("TMPDIR=").doesNotContain("MILLRACE_FLEET_SECRET");
  }

  @Test
  void a_program_that_hangs_is_ended_before_the_deadline_of_its_job() {
    stall = Duration.ofMinutes(15);
    server.deadline(4);
    try (Rig rig = rig("/bin/sh", "-c", "exec sleep 600")) {
      FakeJob job = server.submit(new FakeJob("demo"));
      await().until(() -> server.state(job).equals("failed:retryable"));
      assertThat(server.reason(job)).contains("no progress");
      assertThat(rig.ended()).isNull();
    }
  }

  @Test
  void a_program_that_hangs_fails_its_job_and_one_that_works_does_not() {
    stall = Duration.ofMillis(800);
    try (Rig rig = rig("sh", "-c", "sleep 600")) {
      FakeJob job = server.submit(new FakeJob("demo"));
      await().until(() -> server.state(job).equals("failed:retryable"));
      assertThat(server.reason(job)).contains("no progress");
      await().until(() -> rig.scratch().isEmpty());
    }
    stall = Duration.ofSeconds(5);
    FakeJob talks = run("for i in 1 2 3 4 5 6 7 8; do sleep 1; echo .; done; echo x > out/x.txt");
    assertThat(server.state(talks)).isEqualTo("completed");
  }

  @Test
  void a_program_that_is_not_there_costs_no_job_anything() throws Exception {
    Path script = place.resolve("late.sh");
    try (Rig rig = rig(script.toString())) {
      FakeJob job = server.submit(new FakeJob("demo"));
      await().until(() -> server.notReady().contains("command"));
      assertThat(server.attempts(job)).isZero();
      Files.writeString(script, "#!/bin/sh\nprintf x > out/x.txt\n");
      assertThat(script.toFile().setExecutable(true)).isTrue();
      await().until(() -> server.state(job).equals("completed"));
      assertThat(rig.ended()).isNull();
    }
  }

  private FakeJob run(String script) {
    try (Rig rig = rig("sh", "-c", script)) {
      FakeJob job = server.submit(new FakeJob("demo"));
      await().until(() -> !List.of("queued", "running").contains(server.state(job)));
      await().until(() -> rig.scratch().isEmpty());
      return job;
    }
  }

  private String text(FakeJob job) {
    return new String(server.content(job, 0), StandardCharsets.UTF_8);
  }

  private Rig rig(String... words) {
    WorkerSettings.Command command =
        new WorkerSettings.Command(List.of(words), false, Duration.ofMillis(300), stall);
    return new Rig(server, place.resolve("work"), 1, new CommandExecutor(command));
  }
}
