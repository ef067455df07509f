package dev.millrace.worker.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Settings are read once, and every mistake is told at once. */
class SettingsTest {

  private final Map<String, String> environment =
      new HashMap<>(
          Map.of(
              "MILLRACE_URL", "https://mill.example.org/",
              "MILLRACE_FLEET_SECRET", "canary",
              "WORKFLOWS", "portrait, upscale",
              "COMFYUI_URL", "http://127.0.0.1:8188"));

  @Test
  void a_path_of_the_command_that_is_good_here_is_good_in_the_jobs_folder() throws IOException {
    Path script = Files.createTempFile(Path.of("target"), "script", ".py");
    try {
      environment.put("COMMAND", "python3 " + script + " target no/such/file -v");
      assertThat(WorkerSettings.read(environment).command().orElseThrow().words())
          .containsExactly(
              "python3", script.toAbsolutePath().toString(), "target", "no/such/file", "-v");
    } finally {
      Files.delete(script);
    }
  }

  @Test
  void a_few_variables_are_enough() {
    WorkerSettings settings = WorkerSettings.read(environment);
    assertThat(settings.server()).hasToString("https://mill.example.org");
    assertThat(settings.workflows()).containsExactly("portrait", "upscale");
    assertThat(settings.slots()).isEqualTo(1);
    assertThat(settings.drain()).isEqualTo(Duration.ofSeconds(30));
    assertThat(settings.comfyUi().orElseThrow().poll()).isEqualTo(Duration.ofSeconds(1));
    assertThat(settings.comfyCloud()).isEmpty();
    assertThat(settings.aws().scaleInProtection()).isFalse();
    assertThat(settings.workerId()).isEmpty();
  }

  @Test
  void every_mistake_is_told_at_once() {
    environment.remove("MILLRACE_FLEET_SECRET");
    environment.put("MILLRACE_URL", "mill.example.org");
    environment.put("WORKFLOWS", "Port rait");
    environment.put("SLOTS", "none");
    environment.put("SPOT", "perhaps");
    environment.put("COMMAND", "python3 'unclosed");
    assertThat(mistakes())
        .hasSize(6)
        .anyMatch(line -> line.startsWith("MILLRACE_FLEET_SECRET is not set"))
        .anyMatch(line -> line.equals("SLOTS must be a whole number from 1 to 256, not 'none'."))
        .anyMatch(line -> line.equals("SPOT must be one of auto, on, off, not 'perhaps'."));
  }

  @Test
  void a_mistyped_name_is_told_with_the_one_that_was_meant() {
    environment.put("SLOT", "2");
    environment.put("COMFYUI_POLL_MILIS", "100");
    environment.put("WORKER_NAME_OF_SOMETHING_ELSE", "x");
    environment.put("PATH", "/bin");
    assertThat(mistakes())
        .containsExactly(
            "COMFYUI_POLL_MILIS is not a setting; did you mean COMFYUI_POLL_MILLIS?",
            "SLOT is not a setting; did you mean SLOTS?");
  }

  @Test
  void there_must_be_something_to_run_jobs_with() {
    environment.remove("COMFYUI_URL");
    assertThat(mistakes()).singleElement().asString().contains("nothing to run jobs with");
  }

  @Test
  void a_command_is_split_as_a_shell_would_but_by_no_shell() {
    environment.put("COMMAND", "python3 '/opt/my pipes/run.py' --style \"a b\" c\\ d ''");
    assertThat(WorkerSettings.read(environment).command().orElseThrow().words())
        .containsExactly("python3", "/opt/my pipes/run.py", "--style", "a b", "c d", "");
  }

  @Test
  void secrets_do_not_show_themselves() {
    assertThat(WorkerSettings.read(environment).toString()).doesNotContain("canary");
  }

  @Test
  void the_help_lists_every_variable() {
    String help = String.join("\n", WorkerSettings.help());
    assertThat(WorkerSettings.names()).allMatch(help::contains);
  }

  private List<String> mistakes() {
    try {
      WorkerSettings.read(environment);
      return List.of();
    } catch (WorkerSettingsException e) {
      return Objects.requireNonNull(e.getMessage()).lines().toList();
    }
  }
}
