package dev.millrace.web.http;

import java.time.Duration;

/**
 * Where the server listens and how much a single client may ask of it.
 *
 * @param host the address to bind, such as {@code 127.0.0.1}
 * @param port the port to bind; 0 takes a free one
 */
public record HttpSettings(String host, int port, Limits limits, Times times) {

  public HttpSettings {
    if (host.isBlank()) {
      throw new IllegalArgumentException("The host must not be blank");
    }
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("The port must be between 0 and 65535: " + port);
    }
  }

  /** Settings with the default limits and times. */
  public static HttpSettings on(String host, int port) {
    return new HttpSettings(host, port, Limits.DEFAULT, Times.DEFAULT);
  }

  public HttpSettings withLimits(Limits changed) {
    return new HttpSettings(host, port, changed, times);
  }

  public HttpSettings withTimes(Times changed) {
    return new HttpSettings(host, port, limits, changed);
  }

  /**
   * Limits on size.
   *
   * @param maxBodyBytes the largest request body, unless a route names its own
   * @param maxHeaderBytes all header lines of a request together
   * @param maxConnections connections beyond this wait in the operating system's queue
   */
  public record Limits(long maxBodyBytes, int maxHeaderBytes, int maxConnections) {
    public static final Limits DEFAULT = new Limits(1 << 20, 16 << 10, 10_000);

    public Limits {
      if (maxBodyBytes < 1 || maxHeaderBytes < 256 || maxConnections < 1) {
        throw new IllegalArgumentException("The HTTP limits are too small to serve a request");
      }
    }
  }

  /**
   * Limits on time.
   *
   * @param header from the request line to the end of the headers
   * @param body how long the client may keep us waiting for a body in total, unless a route says
   * @param write how long one write may wait for a client that does not read
   * @param idle how long a connection may be silent between requests
   * @param shutdownGrace how long running requests may take to end once the server closes
   */
  public record Times(
      Duration header, Duration body, Duration write, Duration idle, Duration shutdownGrace) {
    public static final Times DEFAULT =
        new Times(
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofSeconds(30),
            Duration.ofSeconds(75),
            Duration.ofSeconds(35));

    public Times {
      requirePositive(header);
      requirePositive(body);
      requirePositive(write);
      requirePositive(idle);
      requirePositive(shutdownGrace);
    }

    private static void requirePositive(Duration time) {
      if (!time.isPositive()) {
        throw new IllegalArgumentException("The HTTP times must be positive: " + time);
      }
    }
  }
}
