package dev.millrace.providers.replicate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.providers.wire.OutputReader;
import dev.millrace.spi.provider.Elsewhere;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Standing;
import dev.millrace.testkit.conformance.HandClock;
import dev.millrace.testkit.outside.Trouble;
import dev.millrace.testkit.outside.Webhooks;
import dev.millrace.testkit.replicate.ReplicateDouble;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The recordings: the provider understands them, and the double answers as they do. */
class RecordedTest {

  private static final String RECORDED_ID = "gm3qorzdhgbfurvjtvhg6dckhu";

  private final ReplicateDouble service = ReplicateDouble.start(new HandClock());

  @AfterEach
  void closeTheService() {
    service.close();
  }

  private static JsonNode recorded(String name) throws IOException {
    try (InputStream file =
        Objects.requireNonNull(
            RecordedTest.class.getResourceAsStream("/recorded/" + name + ".json"), name)) {
      return JsonMapper.shared().readTree(file.readAllBytes());
    }
  }

  private static Standing standing(JsonNode prediction) {
    return Prediction.read(prediction)
        .orElseThrow()
        .standing(new OutputReader(_ -> Map.of(), _ -> true), Duration.ofSeconds(2));
  }

  private static Standing shape(String name) throws IOException {
    return standing(recorded("replicate/shape_" + name).path("body"));
  }

  private static Outcome outcome(Standing standing) {
    return ((Standing.Ended) standing).outcome();
  }

  @Test
  void every_recorded_shape_is_understood() throws IOException {
    assertThat(shape("create_201_starting")).isInstanceOf(Standing.Going.class);
    assertThat(((Standing.Going) shape("get_processing")).percent()).isEqualTo(OptionalInt.of(25));
    assertThat(outcome(shape("get_failed"))).isInstanceOf(Outcome.Rejected.class);
    assertThat(outcome(shape("cancel_200_canceled"))).isInstanceOf(Outcome.Canceled.class);
    assertThat(outcome(shape("get_aborted_deadline_before_start")))
        .isInstanceOf(Outcome.Unavailable.class);
    assertThat(outcome(shape("get_succeeded_data_removed_after_1h")))
        .isInstanceOf(Outcome.Unavailable.class);
    Standing.Ended succeeded = (Standing.Ended) shape("get_succeeded");
    assertThat(((Outcome.Succeeded) succeeded.outcome()).outputs())
        .singleElement()
        .satisfies(output -> {
          assertThat(output.name()).isEqualTo("out-0.webp");
          assertThat(output.mediaType()).isEqualTo("image/webp");
          assertThat(((Elsewhere) output.content()).address().getHost())
              .isEqualTo("replicate.delivery");
        });
    assertThat(succeeded.usage().metrics())
        .isEqualTo(Map.of("predict_time", 2.4, "total_time", 3.8));
  }

  @ParameterizedTest
  @CsvSource({
    "webhooks_completed_only, Succeeded",
    "webhooks_failed, Rejected",
    "webhooks_canceled, Canceled",
    "webhooks_terminal_retried_after_503, Succeeded",
    "webhooks_all_events, Succeeded"
  })
  void the_webhooks_of_a_models_own_server_are_understood(String name, String outcome)
      throws IOException {
    JsonNode last = recorded("cog/" + name).values().stream().toList().getLast();

    assertThat(outcome(standing(last.path("body"))).getClass().getSimpleName()).isEqualTo(outcome);
  }

  @ParameterizedTest
  @CsvSource({
    "wire_create_model, , 201, starting",
    "wire_create_version, , 201, starting",
    "wire_get, , 200, succeeded",
    "wire_cancel, , 200, canceled",
    "wire_secret, , 200, whsec_",
    "wire_create_401, UNAUTHORIZED, 401, You did not pass a valid authentication token",
    "wire_create_422, INVALID, 422, input.prompt: required",
    "wire_create_500, BROKEN, 500, Internal"
  })
  void the_double_answers_the_recorded_requests_as_was_recorded(
      String name, @Nullable Trouble trouble, int status, String words) throws Exception {
    if (trouble != null) {
      service.onSubmit(trouble);
    }
    JsonNode request = recorded("replicate/" + name).path("requests").path(0);
    HttpResponse<String> reply = send(request, name.equals("wire_get"));

    assertThat(reply.statusCode()).isEqualTo(status);
    assertThat(reply.body()).contains(words);
    assertThat(recorded("replicate/" + name).path("client_result").toString()).contains(words);
  }

  private HttpResponse<String> send(JsonNode request, boolean finished) throws Exception {
    String path = request.path("path").asString();
    if (path.contains(RECORDED_ID)) {
      send(recorded("replicate/wire_create_model").path("requests").path(0), false);
      path = path.replace(RECORDED_ID, service.references().getFirst());
      service.sends(Webhooks.NEVER);
      if (finished) {
        service.succeed(service.references().getFirst());
      }
    }
    String body = request.has("body") ? request.path("body").toString() : "";
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(URI.create(service.address() + path))
              .header("Authorization", request.path("headers").path("authorization").asString())
              .method(request.path("method").asString(), BodyPublishers.ofString(body))
              .build(),
          BodyHandlers.ofString());
    }
  }

  @Test
  void the_doubles_predictions_have_the_recorded_keys() throws Exception {
    JsonNode recorded = recorded("replicate/shape_get_succeeded").path("body");
    HttpResponse<String> reply =
        send(recorded("replicate/wire_get").path("requests").path(0), true);
    JsonNode ours = JsonMapper.shared().readTree(reply.body());
    Set<String> keys = new TreeSet<>(ours.propertyNames());
    // Told to whoever gave one, as the original's own types say.
    keys.remove("webhook");

    assertThat(keys).isEqualTo(new TreeSet<>(recorded.propertyNames()));
  }
}
