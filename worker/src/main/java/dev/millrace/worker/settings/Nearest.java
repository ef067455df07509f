package dev.millrace.worker.settings;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import org.apache.commons.text.similarity.DamerauLevenshteinDistance;

/** Finds the name that somebody who mistyped one probably meant. */
final class Nearest {

  /** How many letters to add, drop, replace or swap with their neighbour. */
  private static final DamerauLevenshteinDistance LETTERS = new DamerauLevenshteinDistance();

  private Nearest() {}

  /** The closest of the names, if it is at most so many letters away. */
  static Optional<String> to(String typed, Collection<String> names, int tolerance) {
    return names.stream()
        .filter(name -> LETTERS.apply(typed, name) <= tolerance)
        .min(
            Comparator.comparingInt((String name) -> LETTERS.apply(typed, name))
                .thenComparing(Comparator.naturalOrder()));
  }
}
