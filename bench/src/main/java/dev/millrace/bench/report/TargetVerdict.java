package dev.millrace.bench.report;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Whether a target was reached.
 *
 * @param wanted the bound with its direction
 * @param value what was measured, or null if nothing was
 */
public record TargetVerdict(
    String letter, String law, String wanted, @Nullable Double value, Outcome outcome) {

  /** How it ended. */
  public enum Outcome {
    MET,
    MISSED,
    NOT_MEASURED;

    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  public String measured() {
    return value == null ? "-" : Numbers.plain(value);
  }
}
