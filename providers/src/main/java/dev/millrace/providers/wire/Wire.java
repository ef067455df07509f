package dev.millrace.providers.wire;

import java.time.Duration;

/** Sends one request and reads one reply. */
@FunctionalInterface
public interface Wire {

  /**
   * Sends the call once.
   *
   * @throws WireTrouble if there is no reply; it says whether the service may have seen the call
   */
  Reply send(Call call) throws WireTrouble, InterruptedException;

  /**
   * Over HTTP, with the JDK's client.
   *
   * @param connecting how long a connection may take to be made
   */
  static Wire http(Duration connecting) {
    return new JdkWire(connecting);
  }
}
