package dev.millrace.cli.fake;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.Dialects;
import dev.millrace.cli.api.ApiJson;
import dev.millrace.web.api.OpenApi;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The fake server says nothing that the real one doesn't. Its samples have only the fields that the
 * commands read; each of them is described, and has a value that is allowed there.
 */
class SamplesTest {

  private static final String FILE = "0197f0c1-0000-7000-8000-0000000000f1";
  private static final JsonNode API = partial(OpenApi.load());

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
    assertThat(complaints(API.at("/components/schemas/" + schema), sample)).isEmpty();
  }

  @Test
  void a_quote_says_only_what_the_api_may_say() {
    JsonNode schema =
        API.at("/paths/~1api~1admin~1tasks/post/responses/200/content/application~1json/schema");
    assertThat(schema.isMissingNode()).isFalse();
    assertThat(complaints(schema, BulkSamples.quote("cancel", 3, 10))).isEmpty();
  }

  @Test
  void a_sample_that_lies_is_noticed() {
    JsonNode job = API.at("/components/schemas/Job");
    assertThat(complaints(job, "{\"state\":\"asleep\"}")).isNotEmpty();
    assertThat(complaints(job, "{\"status\":\"running\"}")).isNotEmpty();
    assertThat(complaints(job, "{\"outputs\":[{\"bytes\":1}]}")).isNotEmpty();
  }

  private static List<String> complaints(JsonNode schema, String sample) {
    ObjectNode whole = ApiJson.object();
    whole.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    whole.set("components", API.path("components"));
    whole.putArray("allOf").add(schema);
    Schema compiled =
        SchemaRegistry.withDialect(
                Dialects.getDraft202012(),
                builder ->
                    builder.schemaRegistryConfig(
                        SchemaRegistryConfig.builder()
                            .locale(Locale.ROOT)
                            .formatAssertionsEnabled(true)
                            .build()))
            .getSchema(whole);
    return compiled.validate(ApiJson.parse(sample)).stream().map(Object::toString).toList();
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

  /** The same file, where fields may be left out, and none that is not described may be there. */
  private static JsonNode partial(JsonNode node) {
    if (node instanceof ObjectNode object && object.path("properties").isObject()) {
      object.remove("required");
      if (!object.has("additionalProperties")) {
        object.put("additionalProperties", false);
      }
    }
    node.values().forEach(SamplesTest::partial);
    return node;
  }
}
