package dev.millrace.providers.fal;

import dev.millrace.providers.wire.Wire;
import dev.millrace.spi.provider.AsyncProvider;
import dev.millrace.spi.provider.Cancellation;
import dev.millrace.testkit.conformance.HandClock;
import dev.millrace.testkit.conformance.Rig;
import dev.millrace.testkit.fal.FalDouble;
import dev.millrace.testkit.outside.OutsideService;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Set;

/** The provider and double of fal. */
final class FalRig implements Rig {

  private final HandClock clock;
  private final FalDouble service;

  FalRig(HandClock clock) {
    this.clock = clock;
    service = FalDouble.start(clock);
  }

  FalDouble fal() {
    return service;
  }

  @Override
  public OutsideService service() {
    return service;
  }

  @Override
  public AsyncProvider provider(Duration patience) {
    return new FalProvider(
        new FalAccount(service.address(), service.jwks(), FalDouble.KEY, patience),
        Wire.http(Duration.ofSeconds(5)),
        clock);
  }

  @Override
  public Map<String, Object> settings() {
    return Map.of("model", "fal-ai/flux/dev");
  }

  @Override
  public String manyOutputs(int count) {
    return "{\"images\":"
        + Collections.nCopies(count, "{\"url\":\"https://v3.fal.media/a.png\"}")
        + "}";
  }

  @Override
  public boolean canFind() {
    return false;
  }

  @Override
  public Set<Cancellation> cancels() {
    return Set.of(Cancellation.ASKED);
  }
}
