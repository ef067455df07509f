package dev.millrace.engine.sim;

import dev.millrace.engine.job.Job;
import dev.millrace.engine.money.Price;
import java.time.Duration;
import java.time.Instant;

/** What results cost, reckoned a second time. */
final class Prices {

  private Prices() {}

  /** Units of a result with so many outputs that is ready now. */
  static long units(Job job, int outputs, Instant now) {
    return metered(job) ? seconds(job, now) : outputs;
  }

  static boolean metered(Job job) {
    return job.terms().rules().price().unit() == Price.Unit.SECOND;
  }

  private static long seconds(Job job, Instant now) {
    Instant started = job.times().startedAt();
    long millis = started == null ? 0 : Duration.between(started, now).toMillis();
    return millis <= 0 ? 0 : (millis + 999) / 1000;
  }

  static long charge(Job job, long units) {
    Price price = job.terms().rules().price();
    long held = job.hold().amount();
    return price.unit() == Price.Unit.JOB ? held : Math.min(held, price.rate() * units);
  }

  /** Of a reviewed result of which so many outputs are let through. */
  static long approved(Job job, int outputs) {
    return charge(job, units(job, outputs));
  }

  static long units(Job job, int outputs) {
    return job.terms().rules().price().unit() == Price.Unit.OUTPUT ? outputs : job.delivered();
  }

  /** Of a job that was stopped while it ran. */
  static long stopped(Job job, Instant now) {
    return metered(job) ? charge(job, seconds(job, now)) : 0;
  }
}
