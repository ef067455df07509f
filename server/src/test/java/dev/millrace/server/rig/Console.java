package dev.millrace.server.rig;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

/** The pages of a server, fetched without a browser. */
public record Console(HttpClient http, URI server) {

  /** A visitor who signed in with a key. */
  public Guest guest(String withKey) {
    HttpResponse<String> in = post("/console/sign-in", "", Map.of("key", withKey));
    assertThat(in.statusCode()).as(in.body()).isEqualTo(303);
    return new Guest(this, cookie(in));
  }

  /** The cookie of the session that an answer begins; empty if it begins none. */
  public static String cookie(HttpResponse<String> answer) {
    return answer.headers().allValues("set-cookie").stream()
        .filter(line -> line.matches("(__Host-)?millrace_session.*"))
        .map(line -> line.split(";", -1)[0])
        .collect(Collectors.joining());
  }

  public HttpResponse<String> get(String path, String cookie) {
    return send(
        HttpRequest.newBuilder(URI.create(server + path))
            .header("Cookie", cookie)
            .header("Accept", "text/html")
            .build());
  }

  public HttpResponse<String> post(
      String path, String cookie, Map<String, String> form, String... headers) {
    String body =
        form.entrySet().stream()
            .map(field ->
                field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
            .collect(Collectors.joining("&"));
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server + path))
            .header("Cookie", cookie)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return send(request.build());
  }

  /** Sends what no page would. */
  public HttpResponse<String> send(HttpRequest request) {
    try {
      return http.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
