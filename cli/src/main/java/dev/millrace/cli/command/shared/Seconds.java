package dev.millrace.cli.command.shared;

import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a span such as {@code 90}, {@code 90s}, {@code 5m}, {@code 2h} or {@code 500ms}. */
public final class Seconds implements ITypeConverter<Duration> {

  @Override
  public Duration convert(String text) {
    int digits = 0;
    while (digits < text.length() && text.charAt(digits) >= '0' && text.charAt(digits) <= '9') {
      digits++;
    }
    if (digits < 1 || digits > 9) {
      throw new TypeConversionException("'" + text + "' is no time such as 90s, 5m or 2h");
    }
    long number = Long.parseLong(text.substring(0, digits));
    return switch (text.substring(digits)) {
      case "", "s" -> Duration.ofSeconds(number);
      case "ms" -> Duration.ofMillis(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      default -> throw new TypeConversionException("'" + text + "' is no time such as 90s or 5m");
    };
  }
}
