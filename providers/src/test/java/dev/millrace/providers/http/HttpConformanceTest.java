package dev.millrace.providers.http;

import dev.millrace.testkit.conformance.HandClock;
import dev.millrace.testkit.conformance.Rig;
import dev.millrace.testkit.conformance.WebhookConformance;

/** A described provider does what every provider does. */
class HttpConformanceTest extends WebhookConformance {

  @Override
  protected Rig rig(HandClock clock) {
    return new ClipsRig(clock);
  }
}
