package dev.millrace.web.http.server;

import dev.millrace.web.http.HttpSettings;
import dev.millrace.web.http.JsonBytes;
import dev.millrace.web.http.Route;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** A server on a free port, with a proper client and raw sockets to talk to it. */
public final class HttpRig implements AutoCloseable {
  final HttpServer server;
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(10))
          .build();

  public HttpRig(HttpSettings settings, Route... routes) {
    server = new HttpServer(settings, List.of(routes)).start();
  }

  public HttpRig(Route... routes) {
    this(settings(), routes);
  }

  public static HttpSettings settings() {
    return HttpSettings.on("127.0.0.1", 0)
        .withLimits(new HttpSettings.Limits(1000, 4096, 100))
        .withTimes(times(60_000, 60_000, 60_000, 60_000));
  }

  /** Times in milliseconds; the grace is so long that only a prompt close passes a test. */
  static HttpSettings.Times times(long header, long body, long write, long idle) {
    return new HttpSettings.Times(
        Duration.ofMillis(header),
        Duration.ofMillis(body),
        Duration.ofMillis(write),
        Duration.ofMillis(idle),
        Duration.ofMinutes(2));
  }

  public HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
        .timeout(Duration.ofSeconds(20));
  }

  public HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), BodyHandlers.ofString());
  }

  HttpResponse<InputStream> open(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), BodyHandlers.ofInputStream());
  }

  public HttpResponse<String> get(String path) throws Exception {
    return send(request(path));
  }

  public HttpResponse<String> post(String path, String contentType, byte[] body) throws Exception {
    return send(
        request(path)
            .header("Content-Type", contentType)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body)));
  }

  public HttpResponse<String> postJson(String path, String body) throws Exception {
    return post(path, "application/json", body.getBytes(StandardCharsets.UTF_8));
  }

  Socket socket() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    socket.setSoTimeout(20_000);
    return socket;
  }

  /** Sends raw bytes and returns all that comes back until the server closes. */
  public String exchange(String raw) throws IOException {
    try (Socket socket = socket()) {
      send(socket, raw);
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  /** Lines of a raw request; the last one is the body and has no line end. */
  public static String raw(String... linesAndBody) {
    return String.join("\r\n", linesAndBody);
  }

  public static void send(Socket socket, String raw) throws IOException {
    socket.getOutputStream().write(raw.getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
  }

  /** Reads until the text has come. */
  static void awaitText(InputStream in, String text) throws IOException {
    StringBuilder seen = new StringBuilder();
    while (seen.indexOf(text) < 0) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException("The connection ended after " + seen);
      }
      seen.append((char) next);
    }
  }

  public static JsonNode json(HttpResponse<String> response) {
    return JsonBytes.mapper().readTree(response.body());
  }

  @Override
  public void close() {
    client.shutdownNow();
    server.close();
  }
}
