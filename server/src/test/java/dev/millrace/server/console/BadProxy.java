package dev.millrace.server.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What may stand between a browser and the server: forwards bytes, until it is told to cut all
 * connections, to hold them without forwarding, or to give an answer of its own.
 */
final class BadProxy implements AutoCloseable {

  /** What it does with a connection. */
  private sealed interface Way {
    record Forward() implements Way {}

    record Cut() implements Way {}

    record Hold() implements Way {}

    record Answer(String head) implements Way {}
  }

  private final ServerSocket door;
  private final URI server;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final List<Instant> answered = new CopyOnWriteArrayList<>();
  private volatile Way way = new Way.Forward();

  BadProxy(String serverUrl) {
    server = URI.create(serverUrl);
    try {
      door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.startVirtualThread(this::accept);
  }

  String url(String path) {
    return "http://127.0.0.1:" + door.getLocalPort() + path;
  }

  void forward() {
    go(new Way.Forward());
  }

  /** Every connection ends, and new ones end at once. */
  void cut() {
    go(new Way.Cut());
  }

  /** Connections stay, but nothing passes any more; those stay dead for ever. */
  void hold() {
    way = new Way.Hold();
  }

  /** Answers whatever is asked with this status and headers. */
  void answer(String statusAndHeaders) {
    answered.clear();
    go(new Way.Answer(statusAndHeaders));
  }

  /** When it gave answers of its own. */
  List<Instant> answered() {
    return List.copyOf(answered);
  }

  private void go(Way other) {
    way = other;
    closeAll();
  }

  private void closeAll() {
    open.forEach(BadProxy::shut);
    open.clear();
  }

  private void accept() {
    while (!door.isClosed()) {
      try {
        Socket client = door.accept();
        open.add(client);
        Thread.startVirtualThread(() -> serve(client));
      } catch (IOException _) {
        return;
      }
    }
  }

  private void serve(Socket client) {
    Way begun = way;
    try {
      switch (begun) {
        case Way.Cut _ -> shut(client);
        case Way.Hold _ -> client.getInputStream().readAllBytes();
        case Way.Answer(String head) -> answer(client, head);
        case Way.Forward _ -> {
          Socket there = new Socket(server.getHost(), server.getPort());
          open.add(there);
          Thread.startVirtualThread(() -> pass(begun, there, client));
          pass(begun, client, there);
        }
      }
    } catch (IOException _) {
      shut(client);
    }
  }

  private void answer(Socket client, String head) throws IOException {
    InputStream in = client.getInputStream();
    StringBuilder request = new StringBuilder();
    for (int c = in.read(); c >= 0; c = in.read()) {
      request.append((char) c);
      if (request.toString().endsWith("\r\n\r\n")) {
        answered.add(Instant.now());
        String answer = "HTTP/1.1 " + head + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        client.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
        break;
      }
    }
    shut(client);
  }

  private void pass(Way begun, Socket from, Socket to) {
    byte[] some = new byte[8192];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      boolean held = false;
      for (int n = in.read(some); n >= 0; n = in.read(some)) {
        held |= !way.equals(begun);
        if (!held) {
          out.write(some, 0, n);
        }
      }
    } catch (IOException _) {
      // Either side went away, so the other one does.
    }
    shut(from);
    shut(to);
  }

  private static void shut(Socket socket) {
    try {
      socket.close();
    } catch (IOException _) {
      // It is gone either way.
    }
  }

  @Override
  public void close() {
    shut(door);
    closeAll();
  }

  private static void shut(ServerSocket socket) {
    try {
      socket.close();
    } catch (IOException _) {
      // It is gone either way.
    }
  }
}
