package dev.millrace.cli.api;

import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** Reads the Retry-After header, which is a number of seconds or a date. */
final class RetryAfter {

  private RetryAfter() {}

  static Optional<Duration> of(HttpHeaders headers) {
    return headers.firstValue("Retry-After").flatMap(value -> parse(value.strip(), Instant.now()));
  }

  static Optional<Duration> parse(String value, Instant now) {
    try {
      if (!value.isEmpty() && value.chars().allMatch(c -> c >= '0' && c <= '9')) {
        return Optional.of(Duration.ofSeconds(Long.parseLong(value)));
      }
      Instant at = ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      return Optional.of(at.isAfter(now) ? Duration.between(now, at) : Duration.ZERO);
    } catch (DateTimeException | NumberFormatException _) {
      // A header that cannot be understood is no reason to fail; the own backoff applies.
      return Optional.empty();
    }
  }
}
