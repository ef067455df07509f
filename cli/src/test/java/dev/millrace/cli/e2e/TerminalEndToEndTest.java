package dev.millrace.cli.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server shows a secret to a person in front of it and to nobody else. A command whose purpose is
 * to print one prints it to whoever asked.
 */
class TerminalEndToEndTest {

  private static final Path SCRIPT = Path.of("/usr/bin/script");

  @TempDir
  @SuppressWarnings("NullAway.Init")
  Path folder;

  /** Runs these words on a terminal of their own, until the server says that it is ready. */
  private static String onATerminal(String words) {
    return """
    script -qfec '%s' terminal.out </dev/null >/dev/null 2>&1 &
    for i in $(seq 900); do
      grep -q '  Next     ' terminal.out 2>/dev/null && break
      kill -0 $! || break
      sleep 0.1
    done
    kill -TERM $(pgrep -P $!) || true
    wait || true
    cat terminal.out
    """
        .formatted(words);
  }

  @Test
  void on_a_terminal_the_first_key_and_a_link_are_shown_once() throws Exception {
    assumeThat(SCRIPT).exists();
    try (Installation installation = new Installation(folder).set("LOG_FORMAT", "text")) {
      String first = installation.shell(onATerminal("./millrace start")).exits(0).out();
      String key = Files.readString(installation.profile()).replaceAll("(?s).*(mr_\\w+).*", "$1");
      assertThat(first).contains(key, "shown once").containsPattern("/console/link/\\S+");
      assertThat(installation.data().resolve("admin.key")).doesNotExist();

      String again = installation.shell(onATerminal("./millrace start")).exits(0).out();
      assertThat(again).doesNotContain(key).contains("in " + installation.profile());
    }
  }

  @Test
  void in_a_pipe_commands_print_the_secret_that_they_are_for_and_the_server_prints_none()
      throws Exception {
    try (Installation installation = new Installation(folder)) {
      RunningServer server = installation.start();
      String asked =
          installation
              .shell(
                  """
                  KEY=$(./millrace keys create web -q)
                  LINK=$(./millrace signin -q)
                  test "${KEY#mr_}" != "$KEY"
                  echo "key $(./millrace whoami --key "$KEY" --format json | wc -l)"
                  echo "link $LINK"
                  """)
              .exits(0)
              .out();
      assertThat(asked).containsPattern("link http://\\S+/console/link/\\S+");
      requireNoSecret(installation, server);
    }
  }

  private static void requireNoSecret(Installation installation, RunningServer server)
      throws IOException {
    String key = Files.readString(installation.data().resolve("admin.key")).strip();
    assertThat(server.out() + server.err())
        .doesNotContain(key)
        .doesNotContain("/console/link/")
        .contains("./millrace signin makes a link");
    assertThat(server.err()).contains("The operator's key is in " + installation.data());
  }
}
