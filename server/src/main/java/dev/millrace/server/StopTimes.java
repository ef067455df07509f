package dev.millrace.server;

import java.time.Duration;

/**
 * How long a stop may take, whatever state the database is in.
 *
 * @param all from the signal to the end of the process
 * @param requests for requests that are being answered
 */
record StopTimes(Duration all, Duration requests) {

  /** What is closed after the last request needs some time, however short the grace is. */
  private static final Duration LEAST = Duration.ofSeconds(20);

  /** For the end itself, once the parts had their time. */
  private static final Duration END = Duration.ofSeconds(2);

  static StopTimes of(Duration grace) {
    Duration all = grace.compareTo(LEAST) < 0 ? LEAST : grace;
    Duration most = all.minus(END).minus(OpenParts.AFTER_SERVING);
    return new StopTimes(all, grace.compareTo(most) < 0 ? grace : most);
  }

  /** For all parts together. */
  Duration parts() {
    return all.minus(END);
  }
}
