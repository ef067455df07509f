package dev.millrace.bench.report;

import java.util.Locale;

/** Numbers for people: as many digits as say something. */
final class Numbers {

  private Numbers() {}

  static String plain(double value) {
    if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      return String.format(Locale.ROOT, "%,d", (long) value);
    }
    double size = Math.abs(value);
    String format = size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : size >= 0.1 ? "%.2f" : "%.3f";
    return String.format(Locale.ROOT, format, value);
  }
}
