package dev.millrace.cli.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever copies the README's commands into a shell, block by block, sees every one succeed. */
class ReadmeEndToEndTest {

  private static final Pattern BLOCK = Pattern.compile("(?ms)^```sh\\n(.*?)^```$");

  /** The test starts the server by itself, and is itself a part of the other. */
  private static final Set<String> DONE_ELSEWHERE =
      Set.of("./millrace start\n", "./millrace test\n");

  /** Without this, curl succeeds whatever the server answers. */
  private static final String STRICT_CURL = "curl() { command curl --fail-with-body \"$@\"; }\n";

  @TempDir Path folder;

  @Test
  void every_command_of_the_readme_works_as_it_is_written() throws Exception {
    List<String> blocks = blocks();
    assertThat(blocks).containsAll(DONE_ELSEWHERE).hasSizeGreaterThan(4);
    try (Installation installation = new Installation(folder).set("QUOTA_ACTIVE_JOBS", "5")) {
      RunningServer server = installation.start();
      for (String block : blocks) {
        if (!DONE_ELSEWHERE.contains(block)) {
          installation.shell(STRICT_CURL + at(server, block)).exits(0);
        }
      }
      assertThat(installation.work().resolve("fox.png")).isNotEmptyFile();
      assertThat(installation.work().resolve("harbour.png")).isNotEmptyFile();
      server.client().requireHealth();
    }
  }

  /** A test can't have the port that the page names. */
  private static String at(RunningServer server, String block) throws IOException {
    return block.replace("http://127.0.0.1:8080", server.client().url().toString());
  }

  private static List<String> blocks() throws IOException {
    String page = Files.readString(Path.of("..", "README.md"));
    return BLOCK.matcher(page).results().map((MatchResult found) -> found.group(1)).toList();
  }
}
