package dev.millrace.service.observe;

import java.util.Collection;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * How long things take, as counts of buckets that grow by a tenth. Old counts fade with every new
 * one, so that about the last hundred matter; a quantile is right to within a tenth.
 */
public final class Histogram {

  private static final double SMALLEST_SECONDS = 0.01;
  private static final double GROWTH = 1.1;
  private static final int BUCKETS = 220;
  private static final double FADING = 0.99;

  private Histogram() {}

  /** The counts after these were observed, in their order. */
  public static List<Double> with(List<Double> counts, Collection<Double> seconds) {
    double[] next = new double[BUCKETS];
    for (int i = 0; i < Math.min(BUCKETS, counts.size()); i++) {
      next[i] = counts.get(i);
    }
    for (double each : seconds) {
      for (int i = 0; i < BUCKETS; i++) {
        next[i] *= FADING;
      }
      next[bucket(each)] += 1;
    }
    return IntStream.range(0, BUCKETS).mapToObj(i -> next[i]).toList();
  }

  private static int bucket(double seconds) {
    double steps = Math.log(Math.max(seconds, SMALLEST_SECONDS) / SMALLEST_SECONDS);
    return (int) Math.min(BUCKETS - 1L, Math.round(steps / Math.log(GROWTH)));
  }

  /**
   * The seconds that this share of all stay below; empty if nothing was observed.
   *
   * @param share from 0 to 1
   */
  public static OptionalDouble quantile(List<Double> counts, double share) {
    double all = counts.stream().mapToDouble(Double::doubleValue).sum();
    double wanted = all * share;
    double below = 0;
    for (int i = 0; i < counts.size(); i++) {
      below += counts.get(i);
      if (below > 0 && below >= wanted) {
        return OptionalDouble.of(SMALLEST_SECONDS * Math.pow(GROWTH, i));
      }
    }
    return OptionalDouble.empty();
  }
}
