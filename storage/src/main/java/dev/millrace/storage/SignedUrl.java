package dev.millrace.storage;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
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

  /** When a URL ends: they count in whole seconds, rounded up, so that none ends too early. */
  public static Instant expiry(Instant now, Duration ttl) {
    if (!ttl.isPositive() || ttl.compareTo(ObjectStore.LONGEST_TTL) > 0) {
      throw new IllegalArgumentException("a signed URL lives up to 7 days, not " + ttl);
    }
    return now.plus(ttl).plusNanos(999_999_999).truncatedTo(ChronoUnit.SECONDS);
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
