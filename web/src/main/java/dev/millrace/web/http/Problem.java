package dev.millrace.web.http;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What the client is told when something goes wrong (RFC 9457).
 *
 * @param code stable and machine-readable, such as {@code not_found}
 * @param detail a sentence for people; it never quotes the request or an internal message
 * @param extra further members, such as {@code balance}
 */
public record Problem(int status, String code, String detail, Map<String, Object> extra) {
  private static final List<String> RESERVED = List.of("type", "title", "status", "detail", "code");

  public Problem {
    if (status < 400 || status > 599) {
      throw new IllegalArgumentException("A problem has an error status: " + status);
    }
    if (RESERVED.stream().anyMatch(extra::containsKey)) {
      throw new IllegalArgumentException("An extra member hides a standard one: " + extra.keySet());
    }
    extra = Collections.unmodifiableMap(new LinkedHashMap<>(extra));
  }

  public static Problem of(int status, String code, String detail) {
    return new Problem(status, code, detail, Map.of());
  }

  /** A 422 that names what is wrong where. */
  public static Problem invalid(List<Violation> errors) {
    return of(422, "invalid_request", "The request is not valid.").with("errors", errors);
  }

  public Problem with(String member, Object value) {
    Map<String, Object> more = new LinkedHashMap<>(extra);
    more.put(member, value);
    return new Problem(status, code, detail, more);
  }

  /** The code in words: {@code not_found} is "Not found". */
  public String title() {
    return code.substring(0, 1).toUpperCase(Locale.ROOT) + code.substring(1).replace('_', ' ');
  }

  /** The members in the order in which they are sent. */
  public Map<String, Object> members() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("type", "urn:millrace:problem:" + code);
    members.put("title", title());
    members.put("status", status);
    members.put("detail", detail);
    members.put("code", code);
    members.putAll(extra);
    return members;
  }

  /**
   * One thing that is wrong with a body.
   *
   * @param path a JSON pointer such as {@code /input/prompt}; empty for the whole body
   */
  public record Violation(String path, String message) {}
}
