package dev.millrace.service.names;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToIntFunction;
import org.apache.commons.text.similarity.DamerauLevenshteinDistance;
import org.apache.commons.text.similarity.LongestCommonSubsequence;

/** Guesses which name was meant, so that a message can say it. */
public final class NearestName {

  /** Nobody mistypes a longer one, and comparing takes the time of both lengths multiplied. */
  private static final int LONGEST_NAME = 80;

  private static final int EXTRA_LETTER = 3;
  private static final int COST_PER_LETTER_MAX = 2;

  private static final DamerauLevenshteinDistance SLIPS = new DamerauLevenshteinDistance();
  private static final LongestCommonSubsequence COMMON = new LongestCommonSubsequence();

  private NearestName() {}

  /** A half sentence such as {@code ; did you mean title?}, or nothing when no name is near. */
  public static String hint(String given, Collection<String> known) {
    return of(given, known).map(name -> "; did you mean " + name + "?").orElse("");
  }

  /**
   * The name that was mistyped, if a third of its letters at most were added, left out, replaced or
   * swapped with their neighbour. Case, dashes and underscores don't count.
   */
  public static Optional<String> of(String given, Collection<String> known) {
    String wanted = plain(given);
    int allowed = Math.max(1, wanted.length() / 3);
    return nearest(wanted, known, allowed, name -> SLIPS.apply(wanted, plain(name)));
  }

  /**
   * The name that was mistyped or abbreviated. A letter that is missing costs less than one that is
   * too much, because people abbreviate: {@code DB_URL} means {@code DATABASE_URL}, not {@code
   * URL}. Beyond some cost for each letter written, a guess would only mislead.
   */
  public static Optional<String> ofAbbreviated(String given, Collection<String> known) {
    String wanted = plain(given);
    return nearest(
        wanted, known, COST_PER_LETTER_MAX * wanted.length(), name -> missing(wanted, plain(name)));
  }

  private static int missing(String written, String meant) {
    int common = COMMON.apply(written, meant);
    return EXTRA_LETTER * (written.length() - common) + meant.length() - common;
  }

  private static Optional<String> nearest(
      String wanted, Collection<String> known, int allowed, ToIntFunction<String> cost) {
    if (wanted.length() > LONGEST_NAME) {
      return Optional.empty();
    }
    return known.stream()
        .filter(name -> cost.applyAsInt(name) <= allowed)
        .min(Comparator.comparingInt(cost).thenComparing(Comparator.naturalOrder()));
  }

  private static String plain(String name) {
    return name.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
  }
}
