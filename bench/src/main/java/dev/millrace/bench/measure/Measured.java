package dev.millrace.bench.measure;

import java.util.Map;

/**
 * What a measure gave.
 *
 * @param rounds completed in the measured time
 * @param ever completed at all, warm-up and wind-down included
 */
public record Measured(double seconds, long rounds, long ever, Map<String, TimeSamples> times) {

  public double rate() {
    return seconds > 0 ? rounds / seconds : 0;
  }

  public TimeSamples of(String call) {
    return times.getOrDefault(call, TimeSamples.NONE);
  }
}
