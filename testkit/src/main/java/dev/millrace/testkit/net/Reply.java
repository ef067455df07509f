package dev.millrace.testkit.net;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** What a handler answers. */
public sealed interface Reply {

  JsonMapper JSON = JsonMapper.builder().build();

  /** An answer. */
  record Full(int status, Map<String, String> headers, Request.Body body) implements Reply {

    /** The same with one more header. */
    public Full with(String name, String value) {
      Map<String, String> more = new LinkedHashMap<>(headers);
      more.put(name, value);
      return new Full(status, more, body);
    }
  }

  /** The connection is cut without an answer. */
  record Cut() implements Reply {}

  /** No answer comes, until the server is stopped. */
  record Silence() implements Reply {}

  /** The connection becomes a WebSocket. */
  record Upgrade(Sockets.Handler handler) implements Reply {}

  static Full empty(int status) {
    return new Full(status, Map.of(), Request.Body.of(new byte[0]));
  }

  static Full json(int status, Object value) {
    return bytes(status, "application/json; charset=utf-8", JSON.writeValueAsBytes(value));
  }

  static Full text(int status, String text) {
    return bytes(status, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
  }

  static Full bytes(int status, String mediaType, byte[] bytes) {
    return new Full(status, Map.of("Content-Type", mediaType), Request.Body.of(bytes));
  }

  /** An error as the server tells it. */
  static Full problem(int status, String code, String detail) {
    return bytes(
        status,
        "application/problem+json",
        JSON.writeValueAsBytes(
            Map.of(
                "type",
                "urn:millrace:problem:" + code,
                "status",
                status,
                "code",
                code,
                "title",
                code,
                "detail",
                detail)));
  }
}
