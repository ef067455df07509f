package dev.millrace.worker.settings;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the name that somebody who mistyped one probably meant. */
final class Nearest {

  private Nearest() {}

  /** The closest of the names, if it is at most so many letters away. */
  static Optional<String> to(String typed, Collection<String> names, int tolerance) {
    return names.stream()
        .filter(name -> letters(typed, name) <= tolerance)
        .min(
            Comparator.comparingInt((String name) -> letters(typed, name))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** How many letters to add, drop, replace or swap with their neighbour. */
  private static int letters(String a, String b) {
    int[][] steps = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          steps[i][j] = i + j;
          continue;
        }
        int replaced = steps[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        steps[i][j] = Math.min(replaced, Math.min(steps[i - 1][j], steps[i][j - 1]) + 1);
        boolean swapped =
            i > 1
                && j > 1
                && a.charAt(i - 1) == b.charAt(j - 2)
                && a.charAt(i - 2) == b.charAt(j - 1);
        if (swapped) {
          steps[i][j] = Math.min(steps[i][j], steps[i - 2][j - 2] + 1);
        }
      }
    }
    return steps[a.length()][b.length()];
  }
}
