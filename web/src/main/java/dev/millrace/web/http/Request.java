package dev.millrace.web.http;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a handler sees of a request. It belongs to the thread that handles it. */
public final class Request {
  private final RequestHead head;
  private final Map<String, String> parameters;
  private final Map<String, List<String>> query;
  private final @Nullable RequestBody body;
  private byte @Nullable [] bytes;

  public Request(RequestHead head, Map<String, String> parameters, RequestBody body) {
    this.head = head;
    this.parameters = parameters;
    this.query = PercentCoding.query(head.rawQuery());
    this.body = body;
  }

  /** A request from within the process, which brings its whole body along. */
  public Request(RequestHead head, Map<String, String> parameters, byte[] bytes) {
    this.head = head;
    this.parameters = parameters;
    this.query = PercentCoding.query(head.rawQuery());
    this.body = null;
    this.bytes = bytes;
  }

  /** The id that the answer echoes and that the log lines of this request carry. */
  public String id() {
    return head.id();
  }

  public String method() {
    return head.method();
  }

  /** The path as it was sent, percent-encoded. */
  public String path() {
    return head.rawPath();
  }

  /** The query as it was sent, percent-encoded and without its question mark; empty if none was. */
  public String rawQuery() {
    return head.rawQuery();
  }

  /** The address of the peer, which may be a proxy. */
  public String remoteAddress() {
    return head.remoteAddress();
  }

  /** A decoded parameter of the route's template. */
  public String pathParameter(String name) {
    String value = parameters.get(name);
    if (value == null) {
      throw new IllegalStateException("The route has no parameter " + name);
    }
    return value;
  }

  /** The decoded value of a query parameter; one that comes twice is refused. */
  public Optional<String> query(String name) {
    List<String> values = queryAll(name);
    if (values.size() > 1) {
      throw ProblemException.badRequest("A query parameter is given more than once.");
    }
    return values.stream().findFirst();
  }

  public List<String> queryAll(String name) {
    return query.getOrDefault(name, List.of());
  }

  /** Every query parameter with all its decoded values. */
  public Map<String, List<String>> queryAll() {
    return query;
  }

  /** The first line of this header. */
  public Optional<String> header(String name) {
    return headers(name).stream().findFirst();
  }

  public List<String> headers(String name) {
    return head.headers().getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
  }

  /** Every header with all its lines, by its name in lower case. */
  public Map<String, List<String>> headers() {
    return head.headers();
  }

  /** The whole body; a 413 if it is larger than the route takes. */
  public byte[] bytes() {
    if (bytes == null) {
      bytes = Objects.requireNonNull(body).readAll();
    }
    return bytes;
  }

  /** The body as it arrives, for uploads; reading past the route's limit is a 413. */
  public InputStream bodyStream() {
    return body == null ? new ByteArrayInputStream(bytes()) : body.stream();
  }

  /** The body as the fields of an HTML form; a 415 for another type. */
  public Map<String, List<String>> form() {
    String type = header("content-type").orElse("").toLowerCase(Locale.ROOT);
    if (!type.startsWith("application/x-www-form-urlencoded")) {
      throw new ProblemException(415, "unsupported_media_type", "The body must be a form.");
    }
    return PercentCoding.query(new String(bytes(), StandardCharsets.ISO_8859_1));
  }

  /** The body as strict JSON: 415 for another type, 400 if malformed, 422 for broken text. */
  public JsonNode json() {
    requireJson();
    return StrictJson.parse(bytes());
  }

  private void requireJson() {
    if (!header("content-type").map(RequestMediaTypes::isJson).orElse(false)) {
      throw new ProblemException(
          415, "unsupported_media_type", "The body must be application/json in UTF-8.");
    }
  }

  /** The body as a JSON object; a 422 if it is another kind of value. */
  public ObjectNode jsonObject() {
    return object(json());
  }

  /** The same with broken text put right, for reports that must not be lost for its sake. */
  public ObjectNode mendedJsonObject() {
    requireJson();
    return object(StrictJson.parseMended(bytes()));
  }

  private static ObjectNode object(JsonNode json) {
    if (json instanceof ObjectNode object) {
      return object;
    }
    throw ProblemException.invalid("", "must be an object");
  }
}
