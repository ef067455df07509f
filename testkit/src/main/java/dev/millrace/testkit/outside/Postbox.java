package dev.millrace.testkit.outside;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Takes in webhooks and keeps them as they came, byte by byte. */
public final class Postbox implements AutoCloseable {

  /** One webhook. */
  public static final class Letter {
    private final String path;
    private final Map<String, List<String>> headers;
    private final byte[] body;

    Letter(String path, Map<String, List<String>> headers, byte[] body) {
      this.path = path;
      this.headers = Map.copyOf(headers);
      this.body = body;
    }

    public String path() {
      return path;
    }

    public Map<String, List<String>> headers() {
      return headers;
    }

    public byte[] body() {
      return body.clone();
    }
  }

  private final HttpServer server;
  private final List<Letter> letters = new CopyOnWriteArrayList<>();

  public Postbox() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext(
        "/",
        exchange -> {
          letters.add(
              new Letter(
                  exchange.getRequestURI().toString(),
                  exchange.getRequestHeaders(),
                  exchange.getRequestBody().readAllBytes()));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
  }

  /** Where a service may send what is about an intent. */
  public URI address(String intent) {
    return URI.create(
        "http://127.0.0.1:" + server.getAddress().getPort() + "/api/webhooks/test/" + intent);
  }

  /** All webhooks so far, in order. */
  public List<Letter> letters() {
    return List.copyOf(letters);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
