package dev.millrace.spi.provider;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What the service says that the work took, for the job's receipt. It is a claim: what is negative,
 * endless or not a number is left out.
 *
 * @param computing the time that the service computed for
 * @param metrics other figures by their snake_case name
 */
public record Usage(Optional<Duration> computing, Map<String, Double> metrics) {

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,63}");
  private static final int MOST_METRICS = 32;
  private static final double MOST_SECONDS = Duration.ofDays(30).toSeconds();
  private static final double MILLIS = 1000;
  private static final Usage NONE = new Usage(Optional.empty(), Map.of());

  public Usage {
    computing =
        computing.filter(time ->
            !time.isNegative() && time.compareTo(Duration.ofSeconds((long) MOST_SECONDS)) <= 0);
    Map<String, Double> kept = new TreeMap<>();
    metrics.forEach((name, value) -> {
      if (kept.size() < MOST_METRICS
          && NAME.matcher(name).matches()
          && Double.isFinite(value)
          && value >= 0) {
        kept.put(name, value);
      }
    });
    metrics = Map.copyOf(kept);
  }

  public static Usage none() {
    return NONE;
  }

  /**
   * Takes the computing time from one of the figures.
   *
   * @param secondsName the figure that is the computing time in seconds, if it is there
   */
  public static Usage of(Map<String, Double> metrics, String secondsName) {
    Optional<Duration> computing =
        Optional.ofNullable(metrics.get(secondsName))
            .filter(seconds -> seconds >= 0 && seconds <= MOST_SECONDS)
            .map(seconds -> Duration.ofMillis(Math.round(seconds * MILLIS)));
    return new Usage(computing, metrics);
  }
}
