package dev.millrace.cli.command.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.fake.Cli;
import dev.millrace.cli.fake.Cli.Result;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The worker behind the command line. */
class WorkerCommandTest {

  @TempDir Path folder;

  @Test
  void the_help_lists_the_settings() {
    Result help = new Cli(folder).run("worker", "--help");
    assertThat(help.exit()).isZero();
    assertThat(help.out()).contains("MILLRACE_FLEET_SECRET", "COMFYUI_URL", "DRAIN_SECONDS");
  }

  @Test
  void every_mistake_in_the_settings_is_told_at_once() {
    Result result = new Cli(folder).variable("SLOTS", "many").run("worker");
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err()).contains("MILLRACE_URL is not set", "WORKFLOWS is not set", "SLOTS");
  }

  @Test
  void the_server_can_be_named_by_the_option_too() {
    Result result = new Cli(folder).run("worker", "--url", "http://127.0.0.1:9");
    assertThat(result.err()).doesNotContain("MILLRACE_URL").contains("MILLRACE_FLEET_SECRET");
  }
}
