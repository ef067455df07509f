package dev.millrace.worker.cloud;

import java.time.Duration;

/**
 * How long the cloud is given.
 *
 * @param away how long it may give no clear answer in the middle of a job
 * @param settle how long after a submit a job that was accepted may still not be listed
 * @param rest how long nothing is tried after the account was refused
 */
record CloudTimes(Duration away, Duration settle, Duration rest) {

  static final CloudTimes USUAL =
      new CloudTimes(Duration.ofMinutes(2), Duration.ofSeconds(30), Duration.ofMinutes(5));
}
