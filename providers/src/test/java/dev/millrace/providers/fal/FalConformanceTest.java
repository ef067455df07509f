package dev.millrace.providers.fal;

import dev.millrace.testkit.conformance.HandClock;
import dev.millrace.testkit.conformance.Rig;
import dev.millrace.testkit.conformance.WebhookConformance;

/** The provider for fal does what every provider does. */
class FalConformanceTest extends WebhookConformance {

  @Override
  protected Rig rig(HandClock clock) {
    return new FalRig(clock);
  }
}
