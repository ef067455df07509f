package dev.millrace.testkit.net;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A request as it came.
 *
 * @param target path and query, still encoded
 * @param headers by lower case name
 * @param body as bytes; two requests are never compared
 */
public record Request(String method, String target, Map<String, String> headers, Body body) {

  /** Bytes that compare by content. */
  public record Body(String latin1) {
    static Body of(byte[] bytes) {
      return new Body(new String(bytes, StandardCharsets.ISO_8859_1));
    }

    public byte[] bytes() {
      return latin1.getBytes(StandardCharsets.ISO_8859_1);
    }

    public String text() {
      return new String(bytes(), StandardCharsets.UTF_8);
    }
  }

  public String path() {
    int question = target.indexOf('?');
    return question < 0 ? target : target.substring(0, question);
  }

  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
  }

  /** The parameters of the query, decoded. */
  public Map<String, String> query() {
    Map<String, String> query = new LinkedHashMap<>();
    int question = target.indexOf('?');
    String text = question < 0 ? "" : target.substring(question + 1);
    Arrays.stream(text.split("&", -1))
        .filter(pair -> !pair.isEmpty())
        .forEach(pair -> {
          String[] parts = pair.split("=", 2);
          query.put(decode(parts[0]), parts.length > 1 ? decode(parts[1]) : "");
        });
    return query;
  }

  public String param(String name) {
    return Objects.requireNonNullElse(query().get(name), "");
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
