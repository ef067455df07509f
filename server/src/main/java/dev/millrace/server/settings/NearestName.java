package dev.millrace.server.settings;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/**
 * Guesses which name was meant. It is an edit distance in which a missing letter costs less than a
 * wrong or an extra one, because people abbreviate: {@code DB_URL} means {@code DATABASE_URL}, not
 * {@code URL}.
 */
final class NearestName {

  private static final int MISSING = 1;
  private static final int WRONG = 3;

  /** Beyond this cost for each letter written, a guess would only mislead. */
  private static final int COST_PER_LETTER_MAX = 2;

  private static final String PREFIX = Setting.environmentName(Setting.PREFIX);

  private NearestName() {}

  /** The candidate nearest to what was written, if any is near enough. */
  static Optional<String> to(String written, Collection<String> candidates) {
    String essence = essence(written);
    return candidates.stream()
        .min(
            Comparator.<String>comparingInt(name -> cost(essence, essence(name)))
                .thenComparing(Comparator.naturalOrder()))
        .filter(name -> cost(essence, essence(name)) <= COST_PER_LETTER_MAX * essence.length());
  }

  /** What is left when spelling conventions and the common prefix are out of the way. */
  private static String essence(String name) {
    String upper = Setting.environmentName(name);
    return upper.startsWith(PREFIX) ? upper.substring(PREFIX.length()) : upper;
  }

  private static int cost(String written, String meant) {
    int[][] cost = new int[written.length() + 1][meant.length() + 1];
    for (int i = 0; i <= written.length(); i++) {
      for (int j = 0; j <= meant.length(); j++) {
        cost[i][j] = i == 0 ? j * MISSING : j == 0 ? i * WRONG : step(cost, written, i, meant, j);
      }
    }
    return cost[written.length()][meant.length()];
  }

  private static int step(int[][] cost, String written, int i, String meant, int j) {
    boolean same = written.charAt(i - 1) == meant.charAt(j - 1);
    int best = cost[i - 1][j - 1] + (same ? 0 : WRONG);
    best = Math.min(best, cost[i][j - 1] + MISSING);
    best = Math.min(best, cost[i - 1][j] + WRONG);
    boolean swapped =
        i > 1
            && j > 1
            && written.charAt(i - 1) == meant.charAt(j - 2)
            && written.charAt(i - 2) == meant.charAt(j - 1);
    return swapped ? Math.min(best, cost[i - 2][j - 2] + WRONG) : best;
  }
}
