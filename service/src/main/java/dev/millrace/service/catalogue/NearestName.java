package dev.millrace.service.catalogue;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Guesses which name was meant, so that a message can say it. */
public final class NearestName {

  private static final int LONGEST_NAME = 80;

  private NearestName() {}

  /** A half sentence such as {@code ; did you mean title?}, or nothing when no name is near. */
  public static String hint(String given, Collection<String> known) {
    return of(given, known).map(name -> "; did you mean " + name + "?").orElse("");
  }

  public static Optional<String> of(String given, Collection<String> known) {
    String wanted = plain(given);
    if (wanted.length() > LONGEST_NAME) {
      return Optional.empty();
    }
    int allowed = Math.max(1, wanted.length() / 3);
    String best = null;
    int bestDistance = Integer.MAX_VALUE;
    for (String name : known) {
      int distance = distance(wanted, plain(name));
      if (distance < bestDistance) {
        best = name;
        bestDistance = distance;
      }
    }
    return bestDistance <= allowed ? Optional.ofNullable(best) : Optional.empty();
  }

  private static String plain(String name) {
    return name.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
  }

  /** Letters added, left out, replaced or swapped with their neighbour. */
  private static int distance(String a, String b) {
    int[][] steps = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        steps[i][j] = Math.min(i, j) == 0 ? Math.max(i, j) : step(steps, a, b, i, j);
      }
    }
    return steps[a.length()][b.length()];
  }

  private static int step(int[][] steps, String a, String b, int i, int j) {
    int replaced = steps[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
    int best = Math.min(replaced, 1 + Math.min(steps[i - 1][j], steps[i][j - 1]));
    boolean swapped =
        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
    return swapped ? Math.min(best, 1 + steps[i - 2][j - 2]) : best;
  }
}
