package dev.millrace.bench.report;

import dev.millrace.bench.measure.Sheet;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * What Millrace wants to reach.
 *
 * @param letter of the scenario
 * @param law in words, without the bound
 * @param value what is compared with the bound; empty if a figure for it is missing
 */
record Target(
    String letter,
    String law,
    Bound direction,
    double bound,
    Function<Sheet, OptionalDouble> value) {

  /** On which side of the bound it is good. */
  enum Bound {
    AT_LEAST(">="),
    AT_MOST("<=");

    private final String sign;

    Bound(String sign) {
      this.sign = sign;
    }
  }

  TargetVerdict judge(Sheet sheet) {
    String wanted = "%s %s".formatted(direction.sign, Numbers.plain(bound));
    OptionalDouble measured = value.apply(sheet);
    if (measured.isEmpty()) {
      return new TargetVerdict(letter, law, wanted, null, TargetVerdict.Outcome.NOT_MEASURED);
    }
    boolean met =
        direction == Bound.AT_LEAST
            ? measured.getAsDouble() >= bound
            : measured.getAsDouble() <= bound;
    return new TargetVerdict(
        letter,
        law,
        wanted,
        measured.getAsDouble(),
        met ? TargetVerdict.Outcome.MET : TargetVerdict.Outcome.MISSED);
  }

  /** The first divided by the second, if both are there. */
  static Function<Sheet, OptionalDouble> ratio(
      Function<Sheet, OptionalDouble> above, Function<Sheet, OptionalDouble> below) {
    return sheet -> {
      OptionalDouble a = above.apply(sheet);
      OptionalDouble b = below.apply(sheet);
      return a.isPresent() && b.isPresent() && b.getAsDouble() > 0
          ? OptionalDouble.of(a.getAsDouble() / b.getAsDouble())
          : OptionalDouble.empty();
    };
  }

  static Function<Sheet, OptionalDouble> figure(String key) {
    return sheet -> sheet.value(key);
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "(%s) %s", letter, law);
  }
}
