package dev.millrace.bench.load;

import dev.millrace.bench.measure.Measured;
import java.util.Comparator;
import java.util.List;

/** The middle one of several measures of the same thing. */
public final class Median {

  private Median() {}

  public static Measured of(List<Measured> rounds) {
    return rounds.stream()
        .sorted(Comparator.comparingDouble(Measured::rate))
        .toList()
        .get(rounds.size() / 2);
  }
}
