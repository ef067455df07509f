package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the server said. */
final class Answer {

  private final HttpResponse<byte[]> response;

  Answer(HttpResponse<byte[]> response) {
    this.response = response;
  }

  int status() {
    return response.statusCode();
  }

  byte[] bytes() {
    return response.body();
  }

  String text() {
    return new String(bytes(), StandardCharsets.UTF_8);
  }

  JsonNode json() {
    return JsonMapper.shared().readTree(bytes());
  }

  /** A value of the answer as text, such as {@code /credits/held}; empty if it is null. */
  String at(String pointer) {
    return json().at(pointer).asString("");
  }

  Optional<String> header(String name) {
    return response.headers().firstValue(name);
  }

  Set<String> headerNames() {
    return response.headers().map().keySet();
  }

  /** The answer, once it is known to have this status. */
  Answer expect(int expected) {
    assertThat(status()).as(this::text).isEqualTo(expected);
    return this;
  }

  /** The answer, once it is known to be this problem. */
  Answer problem(int expected, String code) {
    expect(expected);
    assertThat(header("content-type")).contains("application/problem+json");
    assertThat(at("/code")).isEqualTo(code);
    assertThat(at("/type")).isEqualTo("urn:millrace:problem:" + code);
    assertThat(json().path("status").asInt()).isEqualTo(expected);
    return this;
  }

  /** The paths of everything that was wrong. */
  List<String> wrongPaths() {
    return json().path("errors").values().stream()
        .map(error -> error.path("path").asString())
        .toList();
  }
}
