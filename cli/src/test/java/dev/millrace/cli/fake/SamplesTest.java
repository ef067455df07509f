package dev.millrace.cli.fake;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/**
 * The fake server says nothing that the real one doesn't. Its samples have only the fields that the
 * commands read; each of them is described, and has a value that is allowed there.
 */
class SamplesTest {

  private static final String FILE = "0197f0c1-0000-7000-8000-0000000000f1";
  private static final JsonNode API = ApiCheck.API;

  @AutoClose private static final FakeServer SERVER = new FakeServer();

  static Stream<Arguments> samples() {
    String file = Samples.file(SERVER, FILE, "poster.png");
    return Stream.of(
        Arguments.of("Job", Samples.job("completed", 3, file)),
        Arguments.of("Job", Samples.job("failed", 3, "")),
        Arguments.of("File", file),
        Arguments.of("Event", data(Samples.event(2, "running", 40, "Drawing."))),
        Arguments.of("Effect", Samples.EFFECT),
        Arguments.of("Receipt", Samples.RECEIPT),
        Arguments.of("Batch", BulkSamples.batch("\"queued\":3", false)),
        Arguments.of(
            "Batch",
            BulkSamples.submitted(
                "\"queued\":1",
                "{\"index\":0,\"job_id\":\"%s\",\"status\":\"accepted\"}".formatted(Samples.JOB))),
        Arguments.of("Batch", data(BulkSamples.event(BulkSamples.batch("\"queued\":3", true)))),
        Arguments.of("Task", BulkSamples.task("running", 3, 1, "null")));
  }

  @ParameterizedTest
  @MethodSource("samples")
  void a_sample_says_only_what_the_api_may_say(String schema, String sample) {
    assertThat(ApiCheck.complaints(API.at("/components/schemas/" + schema), sample)).isEmpty();
  }

  @Test
  void a_quote_says_only_what_the_api_may_say() {
    JsonNode schema =
        API.at("/paths/~1api~1admin~1tasks/post/responses/200/content/application~1json/schema");
    assertThat(schema.isMissingNode()).isFalse();
    assertThat(ApiCheck.complaints(schema, BulkSamples.quote("cancel", 3, 10))).isEmpty();
  }

  @Test
  void a_sample_that_lies_is_noticed() {
    JsonNode job = API.at("/components/schemas/Job");
    assertThat(ApiCheck.complaints(job, "{\"state\":\"asleep\"}")).isNotEmpty();
    assertThat(ApiCheck.complaints(job, "{\"status\":\"running\"}")).isNotEmpty();
    assertThat(ApiCheck.complaints(job, "{\"outputs\":[{\"bytes\":1}]}")).isNotEmpty();
  }

  @Test
  void an_answer_that_the_real_server_never_gives_is_noticed() {
    String job = Samples.job("completed", 3, "");
    assertThat(ApiCheck.answer("GET", "/api/jobs/" + Samples.JOB, 200, job)).isEmpty();
    assertThat(ApiCheck.answer("GET", "/api/jobs/" + Samples.JOB, 202, job)).isNotEmpty();
    assertThat(ApiCheck.answer("GET", "/api/jobs/" + Samples.JOB, 200, "{\"jobs\":1}"))
        .isNotEmpty();
    assertThat(ApiCheck.answer("GET", "/api/nowhere/at/all", 200, "{}")).isNotEmpty();
  }

  @Test
  void a_problem_that_the_real_server_never_has_is_noticed() {
    String path = "/api/jobs/" + Samples.JOB;
    String problem =
        """
        {"type":"urn:millrace:problem:not_found","title":"Not found","status":404,"detail":"No.","code":"%s"}
        """;
    assertThat(ApiCheck.answer("GET", path, 404, problem.formatted("not_found"))).isEmpty();
    assertThat(ApiCheck.answer("GET", path, 404, problem.formatted("lost")))
        .singleElement()
        .asString()
        .contains("never has the code lost");
    assertThat(ApiCheck.answer("GET", path, 404, "{\"code\":\"not_found\"}"))
        .anySatisfy(wrong -> assertThat(wrong).contains("detail"));
  }

  /** What an event of a stream carries. */
  private static String data(String event) {
    return event
        .lines()
        .filter(line -> line.startsWith("data: "))
        .map(line -> line.substring("data: ".length()))
        .findFirst()
        .orElseThrow();
  }
}
