package dev.millrace.testkit.comfy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testkit.net.Reply;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Turns recorded requests into real ones, and compares real answers with recorded ones. */
final class Replies {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private Replies() {}

  static ObjectNode object() {
    return NODES.objectNode();
  }

  /** JSON if it is some, else a text. */
  static JsonNode read(String text) {
    try {
      return text.isEmpty() ? NODES.stringNode("") : Reply.JSON.readTree(text);
    } catch (JacksonException _) {
      return NODES.stringNode(text);
    }
  }

  static HttpRequest request(URI base, JsonNode recorded) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base + recorded.path("path").asString("")));
    recorded
        .path("headers")
        .properties()
        .forEach(header -> {
          // The client sets it itself, and it is another one.
          if (!header.getKey().equals("Host")) {
            request.header(header.getKey(), header.getValue().asString(""));
          }
        });
    String method = recorded.path("method").asString("");
    if (recorded.has("multipart_files")) {
      return request
          .header("Content-Type", "multipart/form-data; boundary=b")
          .POST(BodyPublishers.ofString(form(recorded)))
          .build();
    }
    String body =
        recorded.has("json")
            ? recorded.path("json").toString()
            : recorded.path("data").asString("");
    return request.method(method, BodyPublishers.ofString(body)).build();
  }

  /** The recording has only the size of a file, so that many letters stand for it. */
  private static String form(JsonNode recorded) {
    StringBuilder text = new StringBuilder();
    String part = "--b\r\nContent-Disposition: form-data; name=\"%s\"%s\r\n\r\n%s\r\n";
    recorded
        .path("data")
        .properties()
        .forEach(field ->
            text.append(part.formatted(field.getKey(), "", field.getValue().asString(""))));
    for (Map.Entry<String, JsonNode> file : recorded.path("multipart_files").properties()) {
      String name = "; filename=\"" + file.getValue().path(0).asString("") + "\"";
      String content = "x".repeat(file.getValue().path(1).asInt(0));
      text.append(part.formatted(file.getKey(), name, content));
    }
    return text + "--b--\r\n";
  }

  static JsonNode check(String name, JsonNode recorded, HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(name).isEqualTo(recorded.path("status").asInt(0));
    JsonNode body = read(answer.body());
    JsonNode expected = recorded.path("body");
    if (expected.has("_binary_bytes")) {
      assertThat(answer.headers().firstValue("Content-Type"))
          .as(name)
          .contains(recorded.path("headers").path("content-type").asString(""));
      return body;
    }
    assertThat(Recordings.differences(expected, body)).as(name).isEmpty();
    if (!answer.body().isEmpty()) {
      assertThat(answer.headers().firstValue("Content-Type"))
          .as(name)
          .contains(recorded.path("headers").path("content-type").asString(""));
    }
    return body;
  }
}
