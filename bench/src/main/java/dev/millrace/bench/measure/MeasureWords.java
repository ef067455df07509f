package dev.millrace.bench.measure;

import java.util.Locale;

/** Counts in labels. */
public final class MeasureWords {

  private MeasureWords() {}

  /** Such as "1 caller" or "1,024 callers". */
  public static String count(int number, String thing) {
    return String.format(Locale.ROOT, "%,d %s%s", number, thing, number == 1 ? "" : "s");
  }
}
