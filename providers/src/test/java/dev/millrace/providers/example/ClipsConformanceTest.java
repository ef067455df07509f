package dev.millrace.providers.example;

import dev.millrace.providers.wire.Wire;
import dev.millrace.spi.provider.AsyncProvider;
import dev.millrace.spi.provider.Cancellation;
import dev.millrace.testkit.clips.ClipsDouble;
import dev.millrace.testkit.conformance.HandClock;
import dev.millrace.testkit.conformance.Rig;
import dev.millrace.testkit.conformance.WebhookConformance;
import dev.millrace.testkit.outside.OutsideService;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The example does what every provider does. */
class ClipsConformanceTest extends WebhookConformance {

  @Override
  protected Rig rig(HandClock clock) {
    ClipsDouble service = ClipsDouble.start(clock);
    return new Rig() {
      @Override
      public OutsideService service() {
        return service;
      }

      @Override
      public AsyncProvider provider(Duration patience) {
        return new ClipsProvider(
            URI.create(service.address() + "/v2"),
            ClipsDouble.KEY,
            List.of(ClipsDouble.SECRET),
            patience,
            Wire.http(Duration.ofSeconds(5)),
            clock);
      }

      @Override
      public Map<String, Object> settings() {
        return Map.of();
      }

      @Override
      public String manyOutputs(int count) {
        return Collections.nCopies(count, "\"https://files.clips.example/a.mp4\"").toString();
      }

      @Override
      public boolean signsTheIntent() {
        return true;
      }

      @Override
      public Set<Cancellation> cancels() {
        return Set.of(Cancellation.ASKED);
      }
    };
  }
}
