package dev.millrace.providers.replicate;

import dev.millrace.testkit.conformance.HandClock;
import dev.millrace.testkit.conformance.Rig;
import dev.millrace.testkit.conformance.WebhookConformance;

/** Replicate's provider does what every provider does. */
class ReplicateConformanceTest extends WebhookConformance {

  @Override
  protected Rig rig(HandClock clock) {
    return new ReplicateRig(clock);
  }
}
