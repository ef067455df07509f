package dev.millrace.providers.fetch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** Opens listening sockets for tests. */
final class Ports {

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
}
