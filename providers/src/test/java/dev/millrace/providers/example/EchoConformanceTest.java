package dev.millrace.providers.example;

import dev.millrace.spi.provider.Provider;
import dev.millrace.testkit.conformance.SyncConformance;
import java.util.Map;

/** The smallest provider does what every provider does. */
class EchoConformanceTest extends SyncConformance {

  @Override
  protected Provider provider() {
    return new EchoProvider();
  }

  @Override
  protected Map<String, Object> good() {
    return Map.of("prompt", "a cat");
  }

  @Override
  protected Map<String, Object> refused() {
    return Map.of("prompt", "a forbidden cat");
  }

  @Override
  protected Map<String, Object> impossible() {
    return Map.of("prompt", 7);
  }
}
