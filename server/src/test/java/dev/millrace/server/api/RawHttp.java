package dev.millrace.server.api;

import dev.millrace.server.rig.Client;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Sends what no proper client would. Each character of the text stands for one byte. */
final class RawHttp {

  private static final int PATIENCE_MILLIS = 30_000;

  private RawHttp() {}

  /** The whole answer as text; empty if the server only hung up. */
  static String send(Client client, String line, List<String> headers, String body) {
    StringBuilder head = new StringBuilder(line).append(" HTTP/1.1\r\nHost: localhost\r\n");
    head.append("Connection: close\r\n").append(client.keyHeader()).append(": ");
    head.append(client.keyValue());
    head.append("\r\nContent-Length: ").append(body.length());
    if (!body.isEmpty()) {
      head.append("\r\nContent-Type: application/json");
    }
    headers.forEach(header -> head.append("\r\n").append(header));
    head.append("\r\n\r\n").append(body);
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), client.server().getPort())) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.getOutputStream().write(head.toString().getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(line, e);
    }
  }

  static int status(String answer) {
    return answer.startsWith("HTTP/1.1 ") ? Integer.parseInt(answer.substring(9, 12)) : 0;
  }
}
