package dev.millrace.bench.measure;

import java.time.Duration;

/**
 * How long a measure takes.
 *
 * @param warmUp what happens in it counts for nothing
 */
public record Span(Duration warmUp, Duration measure) {

  public static Span ofMillis(long warmUp, long measure) {
    return new Span(Duration.ofMillis(warmUp), Duration.ofMillis(measure));
  }
}
