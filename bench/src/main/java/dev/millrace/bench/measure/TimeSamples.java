package dev.millrace.bench.measure;

import org.HdrHistogram.Histogram;

/** How long calls of one kind took, in milliseconds. */
public record TimeSamples(long count, double p50, double p99, double max) {

  public static final TimeSamples NONE = new TimeSamples(0, 0, 0, 0);

  /**
   * Reads a histogram.
   *
   * @param micros has microseconds
   */
  static TimeSamples of(Histogram micros) {
    return new TimeSamples(
        micros.getTotalCount(),
        micros.getValueAtPercentile(50) / 1_000.0,
        micros.getValueAtPercentile(99) / 1_000.0,
        micros.getMaxValue() / 1_000.0);
  }
}
