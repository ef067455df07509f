package dev.millrace.testkit.outside;

import java.util.Map;

/** What a double answers. */
public record Answered(int status, Map<String, String> headers, String body) {

  public static Answered json(int status, Object body) {
    return new Answered(status, Map.of("Content-Type", "application/json"), String.valueOf(body));
  }

  Answered with(String header, String value) {
    Map<String, String> more = new java.util.HashMap<>(headers);
    more.put(header, value);
    return new Answered(status, more, body);
  }
}
