package dev.millrace.cli.text;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/** Says times, spans and sizes the way people do. */
public final class Say {

  private Say() {}

  /** Such as {@code 12s ago} or {@code in 5m}; what is no time is returned as it is. */
  public static String ago(String time, Instant now) {
    if (time.isEmpty()) {
      return "";
    }
    try {
      Duration age = Duration.between(Instant.parse(time), now);
      if (age.abs().toSeconds() < 1) {
        return "now";
      }
      return age.isNegative() ? "in " + coarse(age.negated()) : coarse(age) + " ago";
    } catch (DateTimeException _) {
      return time;
    }
  }

  /** Such as {@code 0:07}, {@code 12:30} or {@code 1:02:03}. */
  public static String stopwatch(Duration elapsed) {
    long seconds = elapsed.toSeconds();
    return seconds < 3_600
        ? String.format(Locale.ROOT, "%d:%02d", seconds / 60, seconds % 60)
        : String.format(
            Locale.ROOT, "%d:%02d:%02d", seconds / 3_600, seconds / 60 % 60, seconds % 60);
  }

  /** Such as {@code 512 B} or {@code 1.4 MB}, in steps of a thousand. */
  public static String size(long bytes) {
    if (bytes < 1_000) {
      return bytes + " B";
    }
    double value = bytes;
    String unit = "B";
    for (String next : new String[] {"kB", "MB", "GB", "TB"}) {
      if (value < 999.95) {
        break;
      }
      value /= 1_000;
      unit = next;
    }
    return String.format(Locale.ROOT, "%.1f %s", value, unit);
  }

  /** Such as {@code 1 attempt} or {@code 1,204 attempts}. */
  public static String count(long number, String noun) {
    return number(number) + " " + noun + (number == 1 ? "" : "s");
  }

  /** Such as {@code 12} or {@code 1,204}. */
  public static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String coarse(Duration span) {
    if (span.toMinutes() < 1) {
      return span.toSeconds() + "s";
    }
    if (span.toHours() < 1) {
      return span.toMinutes() + "m";
    }
    if (span.toDays() < 2) {
      return span.toHours() + "h";
    }
    return span.toDays() + "d";
  }
}
