package dev.millrace.providers.http;

import dev.millrace.providers.conformance.HandClock;
import dev.millrace.providers.conformance.Rig;
import dev.millrace.providers.conformance.WebhookConformance;

/** A described provider does what every provider does. */
class HttpConformanceTest extends WebhookConformance {

  @Override
  protected Rig rig(HandClock clock) {
    return new ClipsRig(clock);
  }
}
