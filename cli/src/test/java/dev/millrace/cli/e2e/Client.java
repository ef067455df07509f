package dev.millrace.cli.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.api.ApiJson;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A product's own client of the HTTP API: plain requests, and no help from the command line. */
final class Client {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** What became of a request for a job. */
  record Submitted(String id, boolean replayed) {}

  private final URI url;
  private final String key;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  Client(URI url, String key) {
    this.url = url;
    this.key = key;
  }

  /** Asks for a small picture that takes at least this long. */
  Submitted draft(int delaySeconds, String idempotencyKey)
      throws IOException, InterruptedException {
    ObjectNode body = ApiJson.object().put("effect", "sketch/draft");
    body.putObject("input").put("prompt", "a mill at a race").put("delay_seconds", delaySeconds);
    return submit(body, idempotencyKey);
  }

  /** Asks for any job. */
  Submitted submit(ObjectNode job, String idempotencyKey) throws IOException, InterruptedException {
    HttpResponse<String> response =
        http.send(
            request("/api/jobs")
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", idempotencyKey)
                .POST(BodyPublishers.ofString(ApiJson.line(job)))
                .build(),
            BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isIn(200, 201);
    return new Submitted(
        ApiJson.text(ApiJson.parse(response.body()), "id"),
        response.headers().firstValue("Idempotency-Replayed").isPresent());
  }

  URI url() {
    return url;
  }

  String key() {
    return key;
  }

  JsonNode get(String path) throws IOException, InterruptedException {
    HttpResponse<String> response = http.send(request(path).build(), BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return ApiJson.parse(response.body());
  }

  JsonNode job(String id) throws IOException, InterruptedException {
    return get("/api/jobs/" + id);
  }

  /** All jobs, newest first; a story has fewer than a page holds. */
  List<JsonNode> jobs() throws IOException, InterruptedException {
    JsonNode page = get("/api/jobs?limit=500");
    assertThat(page.path("next_cursor").isNull()).as("one page is all").isTrue();
    return page.path("items").valueStream().toList();
  }

  long count(String state) throws IOException, InterruptedException {
    return jobs().stream().filter(job -> ApiJson.text(job, "state").equals(state)).count();
  }

  /** Opens a job's events after the given one, as an event source does. */
  HttpResponse<InputStream> openEvents(String jobId, String lastEventId)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        request("/api/jobs/" + jobId + "/stream").setHeader("Accept", "text/event-stream");
    if (!lastEventId.isEmpty()) {
      request.header("Last-Event-ID", lastEventId);
    }
    return http.send(request.build(), BodyHandlers.ofInputStream());
  }

  /** Follows a signed URL, which needs no key. */
  byte[] download(String signedUrl) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(signedUrl)).timeout(LIMIT).build();
    HttpResponse<byte[]> response = http.send(request, BodyHandlers.ofByteArray());
    assertThat(response.statusCode()).isEqualTo(200);
    return response.body();
  }

  /** Every invariant is true, or the test fails and names those that are not. */
  void requireHealth() throws IOException, InterruptedException {
    JsonNode report = get("/api/admin/doctor");
    assertThat(report.path("checks").valueStream())
        .isNotEmpty()
        .filteredOn(check -> !ApiJson.truth(check, "ok"))
        .as("violated invariants")
        .isEmpty();
    assertThat(ApiJson.truth(report, "ok")).isTrue();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(url + path))
        .timeout(LIMIT)
        .header("Accept", "application/json")
        .header("Authorization", String.format(Locale.ROOT, "Bearer %s", key));
  }
}
