package dev.millrace.providers.wire;

import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One request.
 *
 * @param body a JSON text, or null for none
 * @param patience from sending to the last byte of the reply
 * @param maxBytes of the reply's body
 */
public record Call(
    String method,
    URI uri,
    Map<String, String> headers,
    @Nullable String body,
    Duration patience,
    int maxBytes) {

  /** Plenty for any status; what is larger is not a status. */
  public static final int USUAL_BYTES = 8 << 20;

  public Call {
    headers = Map.copyOf(headers);
  }

  public static Call get(URI uri, Duration patience) {
    return new Call("GET", uri, Map.of(), null, patience, USUAL_BYTES);
  }

  public static Call of(String method, URI uri, Duration patience) {
    return new Call(method, uri, Map.of(), null, patience, USUAL_BYTES);
  }

  public Call with(String header, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(header, value);
    return new Call(method, uri, more, body, patience, maxBytes);
  }

  public Call withJson(String text) {
    return new Call(method, uri, headers, text, patience, maxBytes)
        .with("Content-Type", "application/json");
  }

  /** Without headers and body, which have keys and prompts in them. */
  @Override
  public String toString() {
    return method + " " + uri.getHost() + uri.getPath();
  }
}
