package dev.millrace.server.rig;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Talks to a server with one key. Every answer is held against the OpenAPI file. */
public record Client(HttpClient http, URI server, @Nullable String key) {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  public Client with(@Nullable String otherKey) {
    return new Client(http, server, otherKey);
  }

  /** Keys, tokens and JWTs are bearers; what is none of these is the fleet's secret. */
  public String keyHeader() {
    return isBearer() ? "Authorization" : "X-Fleet-Secret";
  }

  public String keyValue() {
    return isBearer() ? "Bearer " + key : String.valueOf(key);
  }

  private boolean isBearer() {
    return key == null || key.startsWith("mr") || key.startsWith("ey");
  }

  public Answer get(String path, String... headers) {
    return send("GET", path, BodyPublishers.noBody(), headers);
  }

  public Answer post(String path, String json, String... headers) {
    String[] all = Arrays.copyOf(headers, headers.length + 2);
    all[headers.length] = "Content-Type";
    all[headers.length + 1] = "application/json";
    return send("POST", path, BodyPublishers.ofString(json), all);
  }

  public Answer put(String path, String json) {
    return send("PUT", path, BodyPublishers.ofString(json), "Content-Type", "application/json");
  }

  public Answer delete(String path) {
    return send("DELETE", path, BodyPublishers.noBody());
  }

  /** Puts bytes to a signed place, which has a {@code url} and the {@code headers} for it. */
  public Answer putTo(JsonNode place, byte[] bytes) {
    List<String> headers = new ArrayList<>();
    for (var header : place.path("headers").properties()) {
      // The client counts the length itself.
      if (!header.getKey().equalsIgnoreCase("content-length")) {
        headers.add(header.getKey());
        headers.add(header.getValue().asString());
      }
    }
    return send(
        "PUT",
        place.path("url").asString(),
        BodyPublishers.ofByteArray(bytes),
        headers.toArray(String[]::new));
  }

  public Answer send(String method, String path, BodyPublisher body, String... headers) {
    try {
      Answer answer =
          new Answer(http.send(request(method, path, body, headers), BodyHandlers.ofByteArray()));
      if (!path.startsWith("http") || path.startsWith(server.toString())) {
        Described.check(method, path, answer);
      }
      return answer;
    } catch (IOException e) {
      throw new UncheckedIOException(method + " " + path, e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Opens an event stream. */
  public Sse stream(String path, String... headers) throws IOException, InterruptedException {
    HttpResponse<InputStream> response =
        http.send(
            request("GET", path, BodyPublishers.noBody(), headers), BodyHandlers.ofInputStream());
    return new Sse(response);
  }

  private HttpRequest request(String method, String path, BodyPublisher body, String... headers) {
    URI target = path.startsWith("http") ? URI.create(path) : server.resolve(path);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(target).timeout(PATIENCE).method(method, body);
    if (headers.length > 0) {
      request.headers(headers);
    }
    if (key != null && !path.startsWith("http")) {
      request.setHeader(keyHeader(), keyValue());
    }
    return request.build();
  }

  /**
   * Submits a small, quick picture, with more fields of its input such as {@code "fail":"once"}.
   */
  public Answer submitDraft(String... moreInput) {
    return post("/api/jobs", draft(moreInput));
  }

  public static String draft(String... moreInput) {
    return """
    {"effect":"sketch/draft","input":{"prompt":"a red fox"%s}}
    """
        .formatted(moreInput.length == 0 ? "" : "," + String.join(",", moreInput));
  }

  /** The id of a job that was just submitted. */
  public String submitted(String... moreInput) {
    return submitDraft(moreInput).expect(201).at("/id");
  }

  /** The id of a job for this effect, with these fields of its input. */
  public String asked(String effect, String... input) {
    return post(
            "/api/jobs",
            "{\"effect\":\"%s\",\"input\":{%s}}".formatted(effect, String.join(",", input)))
        .expect(201)
        .at("/id");
  }

  /** The same on behalf of a user. */
  public String askedAs(String user, String effect, String... input) {
    return post(
            "/api/jobs",
            "{\"effect\":\"%s\",\"user\":\"%s\",\"input\":{%s}}"
                .formatted(effect, user, String.join(",", input)))
        .expect(201)
        .at("/id");
  }

  public String state(String id) {
    return job(id).at("/state");
  }

  public Answer job(String id) {
    return get("/api/jobs/" + id).expect(200);
  }

  /** The job, as soon as it is in one of these states. */
  public Answer awaitJob(String id, String... states) {
    return await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(30))
        .until(() -> job(id), job -> List.of(states).contains(job.at("/state")));
  }

  public long balance() {
    return get("/api/wallet").expect(200).json().path("balance").asLong();
  }
}
