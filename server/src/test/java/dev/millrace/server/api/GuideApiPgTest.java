package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.ServerRig;
import dev.millrace.service.tenants.TenantRemoval;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The guide is tried out here, so that it stays true. */
class GuideApiPgTest {

  private static final Pattern PROBLEM =
      Pattern.compile("(?:ProblemException|Problem\\.of)\\(\\s*([0-9]{3}),\\s*\"([a-z_]+)\"");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z_]+)` \\| ([0-9]{3}) \\|");

  @TempDir Path folder;

  private static String guide() throws IOException {
    return Files.readString(Path.of("..", "docs", "api.md"));
  }

  @Test
  void every_command_of_the_guide_works_in_its_order() throws Exception {
    try (ServerRig rig = ServerRig.start(folder)) {
      Map<String, String> variables = new HashMap<>();
      variables.put("MILLRACE_URL", rig.admin().server().toString());
      variables.put("MILLRACE_API_KEY", String.valueOf(rig.admin().key()));
      int count = 0;
      for (String command : Curl.commands(guide())) {
        Answer answer = Curl.parse(command, variables).run(rig.admin());
        assertThat(answer.status()).as(command + "\n" + answer.text()).isBetween(200, 299);
        count++;
        remember(answer, command, variables);
      }
      assertThat(count).isGreaterThan(20);
      rig.examine();
    }
  }

  /** What a reader would copy from an answer into the next command. */
  private static void remember(Answer answer, String command, Map<String, String> variables) {
    if (answer.status() == 201) {
      variables.put(made(command), answer.at("/id"));
    } else if (answer.status() == 202) {
      variables.put("TASK", answer.at("/id"));
    } else if (command.contains("-i ")) {
      variables.put("OUTPUT_URL", answer.at("/outputs/0/url"));
    } else if (command.contains("/api/jobs?")) {
      variables.put("CURSOR", answer.at("/next_cursor"));
    }
  }

  private static String made(String command) {
    if (command.contains("/batches")) {
      return "BATCH";
    }
    return command.contains("/keys") ? "KEY_ID" : "JOB";
  }

  @Test
  void its_table_has_every_problem_that_the_server_can_answer() throws IOException {
    Map<String, String> told = new TreeMap<>();
    Matcher rows = ROW.matcher(guide());
    while (rows.find()) {
      told.put(rows.group(1), rows.group(2));
    }
    Map<String, String> known = new TreeMap<>();
    try (Stream<Path> sources = Files.walk(Path.of("..", "web", "src", "main", "java"))) {
      for (Path source : sources.filter(GuideApiPgTest::tellsProblems).toList()) {
        Matcher problems = PROBLEM.matcher(Files.readString(source));
        while (problems.find()) {
          known.put(problems.group(2), problems.group(1));
        }
      }
    }
    known.put("invalid_request", "422"); // Made by a method of its own.
    for (TenantRemoval.Obstacle obstacle : TenantRemoval.Obstacle.values()) {
      known.put(obstacle.code(), "409");
    }

    assertThat(told).isEqualTo(known);
  }

  /** These two dialects have errors of their own, which their clients know. */
  private static boolean tellsProblems(Path source) {
    return Files.isRegularFile(source)
        && !source.toString().contains("/dialect/openai/")
        && !source.toString().contains("/dialect/replicate/");
  }
}
