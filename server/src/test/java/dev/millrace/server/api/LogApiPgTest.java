package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.logging.Logging;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The log lines of jobs, as a whole server writes them. */
class LogApiPgTest {

  private static final String CREATED = "ts event job_id type credits_cost status tenant";
  private static final String TRANSITION =
      "ts event job_id from_status to_status trigger attempt tenant";
  private static final String DENIED = "ts event job_id from_status to_status trigger tenant";
  private static final String COMPLETED =
      "ts event job_id outputs output_bytes media_types"
          + " credits_captured credits_refunded duration_ms tenant";
  private static final String FAILED =
      "ts event job_id error_code error status credits_refunded attempts tenant";

  @TempDir Path folder;

  /** The jobs whose lines are looked at. */
  private record Lives(String good, String bad) {}

  /** The lines of a job come from several threads, so only the keys of each have an order. */
  @Test
  void every_job_event_is_one_json_line_with_these_keys_in_this_order() throws Exception {
    try (LogCapture log = new LogCapture(Logging.Look.JSON)) {
      Lives lives = live();
      List<JsonNode> lines =
          log.lines().stream().map(line -> JsonMapper.shared().readTree(line)).toList();

      assertThat(keys(lines, lives.good))
          .containsExactlyInAnyOrder(CREATED, TRANSITION, TRANSITION, COMPLETED, DENIED);
      assertThat(told(lines, lives.good))
          .containsExactlyInAnyOrder(
              "job.created sketch/draft 1 queued",
              "job.transition queued running lease 1",
              "job.transition running completed complete 1",
              "job.completed 1 [\"image/png\"] 1 0",
              "job.transition_denied completed canceled cancel");
      assertThat(keys(lines, lives.bad))
          .containsExactlyInAnyOrder(CREATED, TRANSITION, TRANSITION, FAILED);
      assertThat(told(lines, lives.bad))
          .containsExactlyInAnyOrder(
              "job.created sketch/draft 1 queued",
              "job.transition queued running lease 1",
              "job.transition running dead_letter retryable_error 1",
              "job.failed " + code(lines, lives.bad) + " dead_letter 1 1");
      assertThat(lines)
          .allSatisfy(line -> {
            assertThat(line.propertyNames()).first().isEqualTo("ts");
            assertThat(line.path("ts").asString())
                .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
            assertThat(Instant.parse(line.path("ts").asString()))
                .isBetween(Instant.now().minus(Duration.ofMinutes(5)), Instant.now());
          });
    }
  }

  @Test
  void for_people_a_line_has_a_time_a_short_id_and_the_states() throws Exception {
    try (LogCapture log = new LogCapture(Logging.Look.TEXT)) {
      String id = live().good;
      String tail = id.substring(id.length() - 8);
      List<String> lines =
          log.lines().stream()
              .filter(line -> line.contains(tail))
              .map(line -> line.replaceFirst("^\\d\\d:\\d\\d:\\d\\d\\.\\d{3} " + tail + " ", ""))
              .toList();

      assertThat(lines)
          .contains(
              "sketch/draft, 1 credit, queued",
              "queued -> running (lease, attempt 1)",
              "running -> completed (complete, attempt 1)",
              "denied: completed -> canceled (cancel)")
          .anySatisfy(line -> assertThat(line).startsWith("completed: outputs 1, output bytes "))
          .hasSize(5);
      assertThat(log.lines()).noneMatch(line -> line.contains("\u001b"));
    }
  }

  @Test
  void only_a_terminal_gets_colours() throws Exception {
    try (LogCapture log = new LogCapture(Logging.Look.COLOURED)) {
      live();
      assertThat(log.lines()).anyMatch(line -> line.contains("\u001b[32mcompleted\u001b[0m"));
    }
  }

  /** One job that completes, and is canceled too late; one that fails. */
  private Lives live() {
    try (ServerRig rig = ServerRig.start(folder, "MAX_FAILURES=1")) {
      Client admin = rig.admin();
      String good = admin.submitted();
      admin.awaitJob(good, "completed");
      admin.post("/api/jobs/" + good + "/cancel", "").problem(409, "transition_denied");
      String bad = admin.submitted("\"fail\":\"retryable\"");
      admin.awaitJob(bad, "dead_letter");
      return new Lives(good, bad);
    }
  }

  private static List<JsonNode> of(List<JsonNode> lines, String job) {
    return lines.stream().filter(line -> line.path("job_id").asString("").equals(job)).toList();
  }

  private static List<String> keys(List<JsonNode> lines, String job) {
    return of(lines, job).stream().map(line -> String.join(" ", line.propertyNames())).toList();
  }

  /** The event and its facts, without those that are different every time. */
  private static List<String> told(List<JsonNode> lines, String job) {
    List<String> varying =
        List.of("ts", "job_id", "output_bytes", "duration_ms", "tenant", "error");
    return of(lines, job).stream()
        .map(line ->
            line.properties().stream()
                .filter(fact -> !varying.contains(fact.getKey()))
                .map(fact ->
                    fact.getValue().isArray()
                        ? fact.getValue().toString()
                        : fact.getValue().asString())
                .reduce((a, b) -> a + " " + b)
                .orElse(""))
        .toList();
  }

  private static String code(List<JsonNode> lines, String job) {
    return of(lines, job).stream()
        .map(line -> line.path("error_code").asString(""))
        .filter(code -> !code.isEmpty())
        .findFirst()
        .orElseThrow();
  }
}
