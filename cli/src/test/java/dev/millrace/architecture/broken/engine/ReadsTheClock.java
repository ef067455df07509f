package dev.millrace.architecture.broken.engine;

import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.function.Supplier;

/** One method for each way to ask what time it is. */
public final class ReadsTheClock {

  private ReadsTheClock() {}

  static long byMillis() {
    return System.currentTimeMillis();
  }

  static long byNanos() {
    return System.nanoTime();
  }

  static Instant byInstant() {
    return Instant.now();
  }

  static Supplier<Instant> byReference() {
    return Instant::now;
  }

  static LocalDate byLocalDate() {
    return LocalDate.now(ZoneOffset.UTC);
  }

  static Clock byClock() {
    return Clock.systemUTC();
  }

  static Clock byTick() {
    return Clock.tickSeconds(ZoneOffset.UTC);
  }

  @SuppressWarnings("JavaUtilDate")
  static Date byDate() {
    return new Date();
  }
}
