package dev.millrace.providers.http;

import dev.millrace.providers.wire.Call;
import dev.millrace.providers.wire.Wire;
import dev.millrace.spi.provider.AsyncProvider;
import dev.millrace.spi.provider.Cancellation;
import dev.millrace.testkit.clips.ClipsDouble;
import dev.millrace.testkit.conformance.HandClock;
import dev.millrace.testkit.conformance.Rig;
import dev.millrace.testkit.outside.OutsideService;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The provider that {@code clips.yaml} describes, and a double of its service. */
final class ClipsRig implements Rig {

  static final Map<String, List<String>> SECRETS =
      Map.of(
          "clips_key", List.of(ClipsDouble.KEY),
          "clips_webhook", List.of(ClipsDouble.SECRET));

  private final HandClock clock;
  private final ClipsDouble service;

  ClipsRig(HandClock clock) {
    this.clock = clock;
    service = ClipsDouble.start(clock);
  }

  /** The file, as an operator would write it. */
  static String yaml() {
    try (InputStream file =
        Objects.requireNonNull(ClipsRig.class.getResourceAsStream("/providers/clips.yaml"))) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public OutsideService service() {
    return service;
  }

  @Override
  public AsyncProvider provider(Duration patience) {
    Wire real = Wire.http(Duration.ofSeconds(5));
    Wire hasty =
        call ->
            real.send(
                new Call(
                    call.method(),
                    call.uri(),
                    call.headers(),
                    call.body(),
                    patience,
                    call.maxBytes()));
    try {
      return HttpProvider.of(
          yaml().replace("https://api.clips.example", service.address().toString()),
          SECRETS,
          hasty,
          clock);
    } catch (BadDescription e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public Map<String, Object> settings() {
    return Map.of("quality", "high");
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
}
