package dev.millrace.providers.fetch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;

/** Opens listening sockets for tests. */
final class Ports {

  private static final int TRIES = 100;

  private Ports() {}

  static ServerSocket listening(String address, int port) {
    try {
      ServerSocket server = new ServerSocket();
      server.bind(new InetSocketAddress(InetAddress.ofLiteral(address), port));
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Two on the same port; not every port that is free on one address is free on the other. */
  static List<ServerSocket> twins(String one, String other) {
    for (int i = 0; i < TRIES; i++) {
      ServerSocket first = listening(one, 0);
      try {
        return List.of(first, listening(other, first.getLocalPort()));
      } catch (UncheckedIOException _) {
        close(first);
      }
    }
    throw new IllegalStateException("no port is free on " + one + " and " + other);
  }

  private static void close(ServerSocket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
