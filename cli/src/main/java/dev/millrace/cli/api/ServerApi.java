package dev.millrace.cli.api;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** The server's HTTP API, as one key sees it. */
public final class ServerApi implements AutoCloseable {

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration UPLOAD_TIMEOUT = Duration.ofHours(1);

  private final URI server;
  private final @Nullable String key;
  private final RetryWait pause;
  private final HttpClient http;

  /**
   * Prepares to talk to a server; no connection is made yet.
   *
   * @param server the address, without a slash at the end
   * @param key sent to this server only; redirects are not followed for the same reason
   */
  public ServerApi(URI server, @Nullable String key, RetryWait pause) {
    this.server = server;
    this.key = key;
    this.pause = pause;
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
  }

  /** Asks once. */
  public JsonNode get(String path) throws InterruptedException {
    return json(send(request(path).GET().build()));
  }

  /** Asks until an answer comes, within bounds: for questions in the middle of a longer wait. */
  public JsonNode getPatiently(String path) throws InterruptedException {
    return new Retry(pause).call(() -> get(path));
  }

  /** Sends once, because the server would do the work of a second copy again. */
  public JsonNode post(String path, JsonNode body) throws InterruptedException {
    return json(send(postRequest(path, body).build()));
  }

  /** Sends, and sends again if no answer came: for what may be said twice. */
  JsonNode postAgain(String path, JsonNode body) throws InterruptedException {
    return new Retry(pause).call(() -> post(path, body));
  }

  /**
   * Puts something to a signed URL, with the headers that belong to it and without our key.
   *
   * @param content that can be read again for another try
   * @return the tag of what was put, or nothing
   */
  String putSigned(String url, Map<String, String> headers, BodyPublisher content)
      throws InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.resolve(url)).timeout(UPLOAD_TIMEOUT).PUT(content);
    headers.forEach((name, value) -> {
      // The length is that of the file, and nobody else may set it.
      if (!name.equalsIgnoreCase("Content-Length")) {
        request.header(name, value);
      }
    });
    HttpRequest ready = request.build();
    return new Retry(pause).call(() -> send(ready)).headers().firstValue("ETag").orElse("");
  }

  /** Sends, and sends again under the same key if no answer came: the server does the work once. */
  public JsonNode postOnce(String path, JsonNode body, String idempotencyKey)
      throws InterruptedException {
    HttpRequest request = postRequest(path, body).header("Idempotency-Key", idempotencyKey).build();
    return new Retry(pause).call(() -> json(send(request)));
  }

  /** Sends, and sends again if no answer came: a second copy of the same values changes nothing. */
  public JsonNode put(String path, JsonNode body) throws InterruptedException {
    HttpRequest request =
        request(path)
            .header("Content-Type", "application/json")
            .PUT(BodyPublishers.ofByteArray(ApiJson.bytes(body)))
            .build();
    return new Retry(pause).call(() -> json(send(request)));
  }

  /** Sends once; the answer is empty where there is nothing left to say. */
  public JsonNode delete(String path) throws InterruptedException {
    return json(send(request(path).DELETE().build()));
  }

  /** Opens a stream of events after the given one, as raw bytes; the caller closes. */
  InputStream openEvents(String path, String lastEventId) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        request(path).setHeader("Accept", "text/event-stream").header("Cache-Control", "no-cache");
    if (!lastEventId.isEmpty()) {
      request.header("Last-Event-ID", lastEventId);
    }
    HttpResponse<InputStream> response =
        exchange(request.GET().build(), BodyHandlers.ofInputStream());
    String type = response.headers().firstValue("Content-Type").orElse("");
    if (response.statusCode() == 200 && type.startsWith("text/event-stream")) {
      return response.body();
    }
    try (InputStream body = response.body()) {
      throw refusal(response, body.readNBytes(64 * 1024));
    }
  }

  /** Opens what a request is answered with, however long it is and takes. */
  public InputStream openDownload(String path, JsonNode body)
      throws IOException, InterruptedException {
    return opened(exchange(postRequest(path, body).build(), BodyHandlers.ofInputStream()));
  }

  /** Opens a signed URL. It needs no key and gets none: it may lead to another host. */
  InputStream openSigned(String url) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(server.resolve(url)).timeout(ANSWER_TIMEOUT).GET().build();
    return opened(exchange(request, BodyHandlers.ofInputStream()));
  }

  private static InputStream opened(HttpResponse<InputStream> response) throws IOException {
    if (response.statusCode() == 200) {
      return response.body();
    }
    try (InputStream body = response.body()) {
      throw refusal(response, body.readNBytes(64 * 1024));
    }
  }

  public URI server() {
    return server;
  }

  RetryWait pause() {
    return pause;
  }

  /** Encodes one segment of a path. */
  public static String segment(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** Ends what is still under way. */
  @Override
  public void close() {
    http.shutdownNow();
  }

  private HttpRequest.Builder postRequest(String path, JsonNode body) {
    return request(path)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofByteArray(ApiJson.bytes(body)));
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server + path))
            .timeout(ANSWER_TIMEOUT)
            .header("Accept", "application/json")
            .header("User-Agent", "millrace-cli");
    if (key != null) {
      request.header("Authorization", "Bearer " + key);
    }
    return request;
  }

  private HttpResponse<byte[]> send(HttpRequest request) throws InterruptedException {
    HttpResponse<byte[]> response = exchange(request, BodyHandlers.ofByteArray());
    if (response.statusCode() / 100 != 2) {
      throw refusal(response, response.body());
    }
    return response;
  }

  private <T> HttpResponse<T> exchange(HttpRequest request, HttpResponse.BodyHandler<T> handler)
      throws InterruptedException {
    try {
      return http.send(request, handler);
    } catch (IOException e) {
      throw new UnreachableException(origin(request.uri()), e);
    }
  }

  private static JsonNode json(HttpResponse<byte[]> response) {
    try {
      return response.body().length == 0 ? ApiJson.object() : ApiJson.parse(response.body());
    } catch (JacksonException _) {
      throw new RefusedException(
          new ApiProblem(
              response.statusCode(),
              "not_millrace",
              origin(response.uri()) + " answers, but not with JSON: is it Millrace?",
              List.of(),
              ApiJson.object()),
          Optional.empty());
    }
  }

  private static RefusedException refusal(HttpResponse<?> response, byte[] body) {
    return new RefusedException(
        ApiProblem.of(response.statusCode(), body), RetryAfter.of(response.headers()));
  }

  private static String origin(URI uri) {
    return uri.getScheme() + "://" + uri.getRawAuthority();
  }
}
