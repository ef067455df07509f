package dev.millrace.storage;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/**
 * How far a store's clock is ahead of ours, as its answers tell. The SDK corrects its own requests
 * by that in silence, but nobody corrects the URLs that we sign: a store refuses those that seem to
 * come from the future, or to be over already.
 */
public final class ClockSkew implements ExecutionInterceptor {

  /** Signed URLs bear some minutes; a clock that is a minute off will be more. */
  public static final Duration MOST = Duration.ofMinutes(1);

  private final InstantSource clock;
  private volatile Duration ahead = Duration.ZERO;

  public ClockSkew(InstantSource clock) {
    this.clock = clock;
  }

  /** As of the last answer. */
  public Duration ahead() {
    return ahead;
  }

  @Override
  public void afterTransmission(
      Context.AfterTransmission context, ExecutionAttributes executionAttributes) {
    context.httpResponse().firstMatchingHeader("Date").ifPresent(this::look);
  }

  private void look(String date) {
    try {
      Instant there = DateTimeFormatter.RFC_1123_DATE_TIME.parse(date, Instant::from);
      ahead = Duration.between(clock.instant(), there);
    } catch (DateTimeException _) {
      // A store that can't tell the time tells nothing about ours.
    }
  }
}
