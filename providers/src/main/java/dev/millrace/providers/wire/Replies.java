package dev.millrace.providers.wire;

import dev.millrace.contract.text.OwnerText;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Standing;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a status that is not good means. */
public final class Replies {

  private static final Duration LONGEST_PAUSE = Duration.ofHours(1);
  private static final Duration USUAL_PAUSE = Duration.ofSeconds(15);
  private static final Duration MISSING_PAUSE = Duration.ofMinutes(1);
  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}");

  /** A service that names its pause only in words: {@code Your rate limit resets in ~30s.} */
  private static final Pattern IN_WORDS = Pattern.compile("in ~?([0-9]{1,5}) ?s(ec|\\b)");

  private Replies() {}

  /** The pause that a reply asks for, at most an hour. */
  public static Optional<Duration> retryAfter(Reply reply, Instant now) {
    return reply
        .header("Retry-After")
        .flatMap(value -> pause(value.strip(), now))
        .or(() -> inWords(reply.body()))
        .map(pause -> pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause);
  }

  private static Optional<Duration> pause(String value, Instant now) {
    if (SECONDS.matcher(value).matches()) {
      return Optional.of(Duration.ofSeconds(Long.parseLong(value)));
    }
    try {
      Instant date = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(value));
      return Optional.of(date.isBefore(now) ? Duration.ZERO : Duration.between(now, date));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static Optional<Duration> inWords(String body) {
    Matcher words = IN_WORDS.matcher(body.length() > 2000 ? body.substring(0, 2000) : body);
    return words.find()
        ? Optional.of(Duration.ofSeconds(Long.parseLong(words.group(1))))
        : Optional.empty();
  }

  /**
   * What it means for a submit that its reply has this status.
   *
   * <p>Only statuses that refuse a request before any work is done say that nothing was taken.
   * Whatever else comes, 5xx above all, may come from a machine on the way that knows nothing of
   * the one behind it, or from a service that broke down after it took the work. A {@code 408} is
   * sent by gateways for a service that is slow, a {@code 409} may mean that the work is there
   * already, and a redirect tells of no work at all.
   *
   * @param detail the service's own words, if any
   */
  public static Outcome declined(Reply reply, Instant now, Optional<String> detail) {
    int status = reply.status();
    return switch (status) {
      case 429 -> new Outcome.Throttled(retryAfter(reply, now));
      case 401, 402, 403 ->
          // Not the customer's fault, and it can be repaired while the job waits.
          new Outcome.Unavailable(
              "The service refused this server's account (" + status + ").",
              retryAfter(reply, now));
      case 400, 404, 405, 406, 410, 411, 413, 414, 415, 422, 431, 451 ->
          new Outcome.Failed(
              "The service refused the input ("
                  + status
                  + ")"
                  + detail.map(Replies::after).orElse(""));
      default ->
          new Outcome.Uncertain(
              "The service answered " + status + ", and may have taken the work.",
              retryAfter(reply, now));
    };
  }

  private static String after(String detail) {
    String words = OwnerText.line(detail);
    return words.isEmpty() ? "" : ": " + words;
  }

  /** What it means for a submit that there is no reply at all. */
  public static Outcome declined(WireTrouble trouble) {
    return switch (trouble.kind()) {
      case NOT_SENT ->
          new Outcome.Unavailable("The service could not be reached.", Optional.empty());
      case NO_REPLY -> new Outcome.Uncertain("The service did not answer in time.");
      case TOO_LARGE -> new Outcome.Uncertain("The service's answer was too large to read.");
    };
  }

  /** A question about work that got no useful answer: the work itself may be going well. */
  public static Standing.NoAnswer noAnswer(Reply reply, Instant now) {
    return new Standing.NoAnswer(
        "The service answered " + reply.status() + ".", retryAfter(reply, now).orElse(USUAL_PAUSE));
  }

  public static Standing.NoAnswer noAnswer(String message) {
    return new Standing.NoAnswer(message, USUAL_PAUSE);
  }

  /** A 404 about work that the service took so long ago that it should know it. */
  public static Standing.Missing missing() {
    return new Standing.Missing("The service does not know this work any more.", MISSING_PAUSE);
  }
}
