package dev.millrace.cli.command;

import static dev.millrace.cli.fake.Samples.JOB;
import static dev.millrace.cli.fake.Samples.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.Millrace;
import dev.millrace.cli.fake.FakeServer;
import dev.millrace.cli.fake.Samples;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InterruptTest {

  @TempDir Path folder;

  @Test
  void ctrl_c_says_how_to_come_back_and_exits_with_130() throws IOException, InterruptedException {
    try (FakeServer server = Samples.scripted(new FakeServer(), "running")) {
      server.on(
          "GET /api/jobs/" + JOB + "/stream",
          server.endlessEvents(event(1, "running", 10, "Drawing.")));
      Process process = start(server);
      try (BufferedReader err = process.errorReader()) {
        String line = err.readLine();
        while (line != null && !line.contains("Drawing.")) {
          line = err.readLine();
        }
        new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
        assertThat(err.lines()).anyMatch(l -> l.contains("millrace jobs watch " + JOB));
        assertThat(process.waitFor()).isEqualTo(130);
      } finally {
        process.destroyForcibly();
      }
    }
  }

  private Process start(FakeServer server) throws IOException {
    // A shell that runs things in the background lets them ignore SIGINT; env undoes that.
    ProcessBuilder builder =
        new ProcessBuilder(
            "env",
            "--default-signal=INT",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            Millrace.class.getName(),
            "run",
            "sketch/poster",
            "-i",
            "prompt=fox",
            "--wait");
    builder.environment().put("MILLRACE_URL", server.url());
    builder.environment().put("MILLRACE_API_KEY", "mr_test");
    builder.environment().put("MILLRACE_PROFILE_DIR", folder.toString());
    return builder.start();
  }
}
