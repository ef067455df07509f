package dev.millrace.providers.fetch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The headers of an answer, by name in any case. */
public final class FetchHeaders {

  private static final int MOST_DIGITS = 9;

  private final Map<String, List<String>> values = new TreeMap<>();

  FetchHeaders() {}

  void add(String name, String value) {
    values.computeIfAbsent(name.toLowerCase(Locale.ROOT), _ -> new ArrayList<>()).add(value);
  }

  public Optional<String> first(String name) {
    return all(name).stream().findFirst();
  }

  public List<String> all(String name) {
    return List.copyOf(values.getOrDefault(name.toLowerCase(Locale.ROOT), List.of()));
  }

  /** The pause that the other side asks for in seconds; its date form is not understood. */
  public Optional<Duration> retryAfter() {
    return first("Retry-After")
        .map(String::strip)
        .filter(text -> text.matches("[0-9]{1," + MOST_DIGITS + "}"))
        .map(text -> Duration.ofSeconds(Long.parseLong(text)));
  }

  /** The media type without its parameters, in lower case; empty if there is none. */
  public String mediaType() {
    String type = first("Content-Type").orElse("");
    int parameters = type.indexOf(';');
    return (parameters < 0 ? type : type.substring(0, parameters)).strip().toLowerCase(Locale.ROOT);
  }
}
