package dev.millrace.testkit.conformance;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that moves only when a test moves it. */
public final class HandClock implements InstantSource {

  private volatile Instant now = Instant.parse("2026-11-15T10:00:00Z");

  @Override
  public Instant instant() {
    return now;
  }

  public void advance(Duration time) {
    now = now.plus(time);
  }
}
