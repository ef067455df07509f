package dev.millrace.providers.replicate;

import dev.millrace.providers.conformance.HandClock;
import dev.millrace.providers.conformance.Rig;
import dev.millrace.providers.conformance.WebhookConformance;

/** Replicate's provider does what every provider does. */
class ReplicateConformanceTest extends WebhookConformance {

  @Override
  protected Rig rig(HandClock clock) {
    return new ReplicateRig(clock);
  }
}
