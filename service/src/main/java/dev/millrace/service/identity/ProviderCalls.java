package dev.millrace.service.identity;

import dev.millrace.providers.wire.Call;
import dev.millrace.providers.wire.Reply;
import dev.millrace.providers.wire.Wire;
import dev.millrace.providers.wire.WireJson;
import dev.millrace.providers.wire.WireTrouble;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Asks a provider. The operator has named it, so it may be anywhere; but its answers are bounded in
 * time and size, and redirects aren't followed.
 */
final class ProviderCalls {

  private static final Duration CONNECTING = Duration.ofSeconds(2);
  static final Duration PATIENCE = Duration.ofSeconds(4);
  private static final int MOST_BYTES = 256 * 1024;

  private final Wire wire;
  private final Duration patience;

  ProviderCalls() {
    this(PATIENCE);
  }

  ProviderCalls(Duration patience) {
    this.wire = Wire.http(CONNECTING);
    this.patience = patience;
  }

  /** The object at an address. */
  ObjectNode get(URI address, Map<String, String> headers) throws ProviderTrouble {
    return object(send("GET", address, headers, null));
  }

  /** What a form brings back, whatever its status. */
  Reply post(URI address, Map<String, String> headers, String form) throws ProviderTrouble {
    return send("POST", address, headers, form);
  }

  private static ObjectNode object(Reply reply) throws ProviderTrouble {
    if (!reply.good()) {
      throw new ProviderTrouble("it answered " + reply.status());
    }
    return WireJson.object(reply.body())
        .orElseThrow(() -> new ProviderTrouble("it answered something that is no JSON object"));
  }

  private Reply send(String method, URI address, Map<String, String> headers, @Nullable String body)
      throws ProviderTrouble {
    try {
      return wire.send(
          new Call(method, address, headers, body, patience, MOST_BYTES)
              .with("Accept", "application/json"));
    } catch (WireTrouble e) {
      throw new ProviderTrouble(
          switch (e.kind()) {
            case NOT_SENT -> "no connection could be made";
            case NO_REPLY -> "it didn't answer in time";
            case TOO_LARGE -> "its answer is too large";
          });
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new ProviderTrouble("interrupted");
    }
  }
}
