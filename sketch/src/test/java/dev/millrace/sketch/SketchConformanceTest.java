package dev.millrace.sketch;

import dev.millrace.spi.provider.Provider;
import dev.millrace.testkit.conformance.SyncConformance;
import java.util.Map;

/** The sketch does what every provider does. */
class SketchConformanceTest extends SyncConformance {

  @Override
  protected Provider provider() {
    return new SketchProvider();
  }

  @Override
  protected Map<String, Object> good() {
    return Map.of("prompt", "a fox", "width", 256, "height", 256);
  }

  @Override
  protected Map<String, Object> refused() {
    return Map.of("prompt", "a fox", "width", 256, "height", 256, "fail", "safety");
  }

  @Override
  protected Map<String, Object> impossible() {
    return Map.of("prompt", "a fox", "width", 1);
  }
}
