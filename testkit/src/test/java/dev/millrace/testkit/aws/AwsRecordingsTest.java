package dev.millrace.testkit.aws;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testkit.comfy.Recordings;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What was recorded from AWS's mock of the metadata service and from an Auto Scaling API. */
class AwsRecordingsTest {

  /** Nobody asks the double for these. */
  private static final Set<String> ELSEWHERE =
      Set.of(
          "spot/termination-time",
          "autoscaling/target-lifecycle-state",
          "instance-life-cycle",
          "identity document");

  private static final String RECORDED_INSTANCE = "i-27cde9bade78d9037";

  @Test
  void the_metadata_service_answers_as_recorded() throws Exception {
    try (FakeImds imds = new FakeImds();
        HttpClient client = HttpClient.newHttpClient()) {
      String token = "";
      for (JsonNode step : Recordings.read("imds.json")) {
        String name = step.path("name").asString("");
        if (ELSEWHERE.contains(name)) {
          continue;
        }
        if (name.equals("rebalance after")) {
          imds.recommendRebalance();
          imds.interrupt();
        }
        JsonNode request = step.path("request");
        HttpRequest.Builder builder =
            HttpRequest.newBuilder(URI.create(imds.url() + request.path("path").asString("")))
                .method(request.path("method").asString(""), BodyPublishers.noBody());
        String ours = token;
        request
            .path("headers")
            .properties()
            .forEach(header -> {
              String value = header.getValue().asString("");
              builder.header(header.getKey(), value.length() > 20 ? ours : value);
            });
        HttpResponse<String> answer = client.send(builder.build(), BodyHandlers.ofString());
        if (name.equals("token")) {
          token = answer.body();
        }
        JsonNode recorded = step.path("response");
        assertThat(answer.statusCode()).as(name).isEqualTo(recorded.path("status").asInt(0));
        assertThat(answer.headers().firstValue("Content-Type"))
            .as(name)
            .contains(recorded.path("headers").path("Content-Type").asString(""));
        assertThat(answer.body().startsWith("<"))
            .as(name)
            .isEqualTo(recorded.path("body").asString("").startsWith("<"));
        if (recorded.path("body").asString("").startsWith("{")) {
          assertThat(keys(answer.body())).isEqualTo(keys(recorded.path("body").asString("")));
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"DescribeAutoScalingInstances", "DescribeUnknown", "SetInstanceProtection"})
  void the_scaling_api_answers_as_recorded(String name) throws Exception {
    String recorded = text("/recordings/asg-" + name + ".txt");
    String form = recorded.replaceFirst("(?s).*?\n(Action=[^\n]*)\n.*", "$1");
    try (FakeAutoScaling scaling = new FakeAutoScaling(RECORDED_INSTANCE);
        HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(scaling.url()).POST(BodyPublishers.ofString(form)).build();
      HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
      assertThat(recorded).contains("<<" + answer.statusCode() + " ");
      String body = recorded.substring(recorded.indexOf("--- response"));
      assertThat(tags(answer.body())).isEqualTo(tags(body.substring(0, body.indexOf("\n<<"))));
    }
  }

  private static List<String> keys(String json) {
    return Pattern.compile("\"(\\w+)\":").matcher(json).results().map(m -> m.group(1)).toList();
  }

  /** An empty element may be written in two ways. */
  private static List<String> tags(String xml) {
    String plain = xml.replaceAll("<(\\w+)></\\1>", "<$1/>");
    return Pattern.compile("<(/?\\w+)").matcher(plain).results().map(m -> m.group(1)).toList();
  }

  private static String text(String path) throws Exception {
    try (InputStream in = AwsRecordingsTest.class.getResourceAsStream(path)) {
      byte[] bytes = Objects.requireNonNull(in, path).readAllBytes();
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }
}
