package dev.millrace.server.rig;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/** What the server said. */
public final class Answer {

  private final HttpResponse<byte[]> response;

  public Answer(HttpResponse<byte[]> response) {
    this.response = response;
  }

  public int status() {
    return response.statusCode();
  }

  public byte[] bytes() {
    return response.body();
  }

  public String text() {
    return new String(bytes(), StandardCharsets.UTF_8);
  }

  public JsonNode json() {
    return JsonMapper.shared().readTree(bytes());
  }

  /** A value of the answer as text, such as {@code /credits/held}; empty if it is null. */
  public String at(String pointer) {
    return json().at(pointer).asString("");
  }

  public Optional<String> header(String name) {
    return response.headers().firstValue(name);
  }

  public Set<String> headerNames() {
    return response.headers().map().keySet();
  }

  /** The answer, once it is known to have this status. */
  public Answer expect(int expected) {
    assertThat(status()).as(this::text).isEqualTo(expected);
    return this;
  }

  /** What was asked for, once it is known that all went well. */
  public JsonNode good() {
    assertThat(status()).as(this::text).isBetween(200, 299);
    return bytes().length == 0 ? MissingNode.getInstance() : json();
  }

  /** The answer, once it is known to be this problem. */
  public Answer problem(int expected, String code) {
    expect(expected);
    assertThat(header("content-type")).contains("application/problem+json");
    assertThat(at("/code")).isEqualTo(code);
    assertThat(at("/type")).isEqualTo("urn:millrace:problem:" + code);
    assertThat(json().path("status").asInt()).isEqualTo(expected);
    return this;
  }

  /** The paths of everything that was wrong. */
  public List<String> wrongPaths() {
    if (json().path("errors").isObject()) {
      return List.copyOf(json().path("errors").propertyNames());
    }
    return json().path("errors").values().stream()
        .map(error -> error.path("path").asString())
        .toList();
  }
}
