package dev.millrace.server.objects;

import java.net.URI;
import java.time.Instant;
import java.util.Map;

/**
 * A request that needs no further permission until it expires.
 *
 * @param uri path and query if this server serves the object itself, else absolute
 * @param headers that the request must carry exactly
 */
public record SignedUrl(URI uri, String method, Map<String, String> headers, Instant expiresAt) {

  public SignedUrl {
    headers = Map.copyOf(headers);
  }

  /** The absolute address for people outside, who know this server as {@code base}. */
  public URI under(URI base) {
    if (uri.isAbsolute()) {
      return uri;
    }
    String prefix = base.toString();
    return URI.create(
        (prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix) + uri);
  }
}
