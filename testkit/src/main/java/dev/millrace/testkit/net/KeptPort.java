package dev.millrace.testkit.net;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports below those that the system lends to whoever connects somewhere. A server that listens a
 * while later, or once more, finds such a port as free as it was: nobody's connection has it.
 */
public final class KeptPort {

  private static final int FIRST = 20_000;
  private static final int END = 32_000;
  private static final int TRIES = 100;

  private KeptPort() {}

  /** One that nobody listens on now. */
  public static int next() {
    try (ServerSocket socket = listen()) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Listens on one at this machine's own address. */
  static ServerSocket listen() throws IOException {
    for (int i = 0; i < TRIES; i++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, END);
      try {
        return new ServerSocket(port, 0, InetAddress.getLoopbackAddress());
      } catch (BindException _) {
        // There are others.
      }
    }
    throw new BindException("no port is free");
  }
}
