package dev.millrace.web.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** An answer. It is immutable; {@link #header} and {@link #addHeader} return changed copies. */
public final class Response {
  private final int status;
  private final List<Field> fields;
  private final ResponseBody body;

  /** One header line. */
  public record Field(String name, String value) {
    public Field {
      if (!isName(name)) {
        throw new IllegalArgumentException("Not a header name: " + name);
      }
      if (!isValue(value)) {
        throw new IllegalArgumentException("Not a header value, in " + name);
      }
    }

    private static boolean isName(String text) {
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        if (c <= ' ' || c >= 0x7F || c == ':') {
          return false;
        }
      }
      return !text.isEmpty();
    }

    private static boolean isValue(String text) {
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        if ((c < ' ' && c != '\t') || c >= 0x7F) {
          return false;
        }
      }
      return true;
    }
  }

  private Response(int status, List<Field> fields, ResponseBody body) {
    if (status < 200 || status > 599) {
      throw new IllegalArgumentException("Not a final status: " + status);
    }
    this.status = status;
    this.fields = fields;
    this.body = body;
  }

  /** The value as JSON in snake_case; it is written at once, so a failure is the handler's. */
  public static Response json(int status, Object value) {
    return bytes(status, "application/json", JsonBytes.bytes(value));
  }

  public static Response problem(Problem problem) {
    return bytes(problem.status(), "application/problem+json", JsonBytes.bytes(problem.members()));
  }

  public static Response text(int status, String text) {
    return bytes(status, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
  }

  public static Response empty(int status) {
    return new Response(status, List.of(), new ResponseBody.Empty());
  }

  public static Response redirect(int status, String location) {
    if (status < 300 || status > 399) {
      throw new IllegalArgumentException("Not a redirect: " + status);
    }
    return empty(status).header("Location", location);
  }

  public static Response bytes(int status, String contentType, byte[] bytes) {
    return new Response(status, List.of(), new ResponseBody.Bytes(bytes))
        .header("Content-Type", contentType);
  }

  /**
   * A body that is opened when it is sent, and not at all for HEAD.
   *
   * @param length negative if it is not known
   */
  public static Response stream(int status, String contentType, long length, ContentSource source) {
    return new Response(status, List.of(), new ResponseBody.Stream(length, source))
        .header("Content-Type", contentType);
  }

  public static Response file(int status, String contentType, Path file) throws IOException {
    return stream(status, contentType, Files.size(file), () -> Files.newInputStream(file));
  }

  /** A stream of server-sent events, which lasts until the source returns. */
  public static Response sse(SseSource source) {
    return new Response(200, List.of(), new ResponseBody.Sse(source))
        .header("Content-Type", "text/event-stream")
        .header("Cache-Control", "no-cache, no-transform")
        .header("X-Accel-Buffering", "no");
  }

  /** The same answer with this header instead of any of the same name. */
  public Response header(String name, String value) {
    List<Field> changed = new ArrayList<>(fields.size() + 1);
    for (Field field : fields) {
      if (!field.name().equalsIgnoreCase(name)) {
        changed.add(field);
      }
    }
    changed.add(new Field(name, value));
    return new Response(status, changed, body);
  }

  /** The same answer with one more line of this header, as {@code Set-Cookie} needs it. */
  public Response addHeader(String name, String value) {
    List<Field> changed = new ArrayList<>(fields.size() + 1);
    changed.addAll(fields);
    changed.add(new Field(name, value));
    return new Response(status, changed, body);
  }

  public int status() {
    return status;
  }

  public Optional<String> header(String name) {
    for (Field field : fields) {
      if (field.name().equalsIgnoreCase(name)) {
        return Optional.of(field.value());
      }
    }
    return Optional.empty();
  }

  public List<Field> fields() {
    return fields;
  }

  public ResponseBody body() {
    return body;
  }
}
