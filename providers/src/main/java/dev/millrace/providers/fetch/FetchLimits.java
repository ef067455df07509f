package dev.millrace.providers.fetch;

import java.time.Duration;

/**
 * How much of our time and room a fetch may take.
 *
 * @param connect for the name, and for the connection to each address
 * @param headers from the start of each hop to the last header of its answer
 * @param idle between two pieces of the body
 * @param total from the first name to the last byte, with all redirects
 * @param bodyBytes of the body, as sent and as decompressed
 * @param redirects 0 means that a redirect is an answer like any other
 */
public record FetchLimits(
    Duration connect,
    Duration headers,
    Duration idle,
    Duration total,
    long bodyBytes,
    int redirects) {

  /** For pages and pictures. */
  public static final FetchLimits USUAL =
      new FetchLimits(
          Duration.ofSeconds(5),
          Duration.ofSeconds(15),
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          10L << 20,
          10);

  public FetchLimits {
    if (connect.isNegative() || connect.isZero() || bodyBytes < 0 || redirects < 0) {
      throw new IllegalArgumentException("limits that allow nothing");
    }
  }

  public FetchLimits withBodyBytes(long most) {
    return new FetchLimits(connect, headers, idle, total, most, redirects);
  }

  public FetchLimits withRedirects(int most) {
    return new FetchLimits(connect, headers, idle, total, bodyBytes, most);
  }

  public FetchLimits withTotal(Duration most) {
    return new FetchLimits(connect, headers, idle, most, bodyBytes, redirects);
  }

  public FetchLimits withIdle(Duration most) {
    return new FetchLimits(connect, headers, most, total, bodyBytes, redirects);
  }

  public FetchLimits withHeaders(Duration most) {
    return new FetchLimits(connect, most, idle, total, bodyBytes, redirects);
  }

  public FetchLimits withConnect(Duration most) {
    return new FetchLimits(most, headers, idle, total, bodyBytes, redirects);
  }
}
