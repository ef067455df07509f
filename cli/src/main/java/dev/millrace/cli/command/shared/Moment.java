package dev.millrace.cli.command.shared;

import dev.millrace.cli.shell.CommandFailure;
import dev.millrace.cli.shell.ExitCode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a point in time the ways people write one. */
public final class Moment {

  private static final Pattern AGE = Pattern.compile("(\\d{1,6})([smhd])");

  private Moment() {}

  /**
   * The moment as the API writes it.
   *
   * @param text a date (its start in UTC), a date with time and zone, or an age such as 7d
   */
  public static String read(String text, Instant now) {
    Matcher age = AGE.matcher(text);
    if (age.matches()) {
      return now.minus(span(Long.parseLong(age.group(1)), age.group(2))).toString();
    }
    try {
      return text.contains("T")
          ? OffsetDateTime.parse(text).toInstant().toString()
          : LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant().toString();
    } catch (DateTimeException _) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "'" + text + "' is no point in time.",
          "2026-03-01, 2026-03-01T12:00:00Z, or an age such as 7d, 12h or 90m");
    }
  }

  private static Duration span(long number, String unit) {
    return switch (unit) {
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      default -> Duration.ofDays(number);
    };
  }
}
