package dev.millrace.providers.replicate;

import dev.millrace.providers.wire.Wire;
import dev.millrace.spi.provider.AsyncProvider;
import dev.millrace.testkit.conformance.HandClock;
import dev.millrace.testkit.conformance.Rig;
import dev.millrace.testkit.outside.OutsideService;
import dev.millrace.testkit.replicate.ReplicateDouble;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Replicate's provider and double. */
final class ReplicateRig implements Rig {

  private final HandClock clock;
  private final ReplicateDouble service;

  ReplicateRig(HandClock clock) {
    this.clock = clock;
    service = ReplicateDouble.start(clock);
  }

  ReplicateDouble replicate() {
    return service;
  }

  @Override
  public OutsideService service() {
    return service;
  }

  @Override
  public AsyncProvider provider(Duration patience) {
    return provider(patience, List.of(ReplicateDouble.SECRET));
  }

  AsyncProvider provider(Duration patience, List<String> secrets) {
    return new ReplicateProvider(
        new ReplicateAccount(service.api(), ReplicateDouble.TOKEN, secrets, patience),
        Wire.http(Duration.ofSeconds(5)),
        clock);
  }

  @Override
  public Map<String, Object> settings() {
    return Map.of("model", "black-forest-labs/flux-schnell");
  }

  @Override
  public String manyOutputs(int count) {
    return Collections.nCopies(count, "\"https://replicate.delivery/a.png\"").toString();
  }

  @Override
  public boolean signsTheIntent() {
    return true;
  }
}
