package dev.millrace.providers.fetch;

import dev.millrace.spi.MediaTypes;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
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

  /** The pause that the other side asks for, in seconds or up to a moment by its own clock. */
  public Optional<Duration> retryAfter() {
    return first("Retry-After")
        .map(String::strip)
        .flatMap(text ->
            text.matches("[0-9]{1," + MOST_DIGITS + "}")
                ? Optional.of(Duration.ofSeconds(Long.parseLong(text)))
                : until(text));
  }

  private Optional<Duration> until(String moment) {
    return date(moment)
        .flatMap(then -> first("Date").flatMap(FetchHeaders::date).map(now -> between(now, then)));
  }

  private static Duration between(Instant now, Instant then) {
    return then.isAfter(now) ? Duration.between(now, then) : Duration.ZERO;
  }

  private static Optional<Instant> date(String text) {
    try {
      return Optional.of(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text, Instant::from));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  /** The media type without its parameters, in lower case; empty if there is none. */
  public String mediaType() {
    return MediaTypes.essence(first("Content-Type").orElse(""));
  }
}
