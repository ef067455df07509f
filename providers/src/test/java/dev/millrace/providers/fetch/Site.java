package dev.millrace.providers.fetch;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A web server that writes whatever bytes a test wants, and remembers whom it met. It lives on an
 * address of its own, so that a policy can allow it and nothing else of this machine.
 */
public final class Site implements AutoCloseable {

  public static final String ADDRESS = "127.0.0.2";

  /** A request as it came. */
  public record Seen(String line, Map<String, String> headers) {}

  /** Writes an answer. */
  @FunctionalInterface
  public interface Script {
    void answer(Seen request, OutputStream out) throws IOException, InterruptedException;
  }

  private final ServerSocket server;
  private final Map<String, Script> scripts = new ConcurrentHashMap<>();
  private final List<Seen> seen = new CopyOnWriteArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final List<Socket> open = new ArrayList<>();
  private final Thread accepting;

  public Site() {
    this(ADDRESS);
  }

  public Site(String address) {
    this(Ports.listening(address, 0));
  }

  Site(ServerSocket server) {
    this.server = server;
    this.accepting = Thread.ofVirtual().name("site").start(this::accept);
  }

  public Site on(String target, Script script) {
    scripts.put(target, script);
    return this;
  }

  public Site page(String target, String body) {
    return on(target, (_, out) -> write(out, ok(body)));
  }

  public Site redirect(String from, int status, String location) {
    return on(
        from,
        (_, out) ->
            write(
                out,
                "HTTP/1.1 %d Moved\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n"
                    .formatted(status, location)));
  }

  public static String ok(String body) {
    return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s"
        .formatted(body.getBytes(StandardCharsets.UTF_8).length, body);
  }

  public static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  public int port() {
    return server.getLocalPort();
  }

  public int connections() {
    return connections.get();
  }

  public List<Seen> seen() {
    return seen;
  }

  public String url(String target) {
    return url("shop.example.com", target);
  }

  public String url(String name, String target) {
    return "http://" + name + ":" + port() + target;
  }

  /** The public web, on this port too, and this site. */
  public FetchPolicy policy() {
    return new FetchPolicy(Set.of(80, 443, port()), AllowList.parse(ADDRESS));
  }

  /** A client for whom every name leads here. */
  public FetchClient client() {
    return new FetchClient(policy(), _ -> List.of(InetAddress.ofLiteral(ADDRESS)));
  }

  /** Waits until the test is over: for an answer that never comes. */
  public void never() throws InterruptedException {
    closed.await();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        connections.incrementAndGet();
        synchronized (open) {
          open.add(socket);
        }
        Thread.ofVirtual().name("site-answer").start(() -> serve(socket));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      Seen request = read(socket);
      seen.add(request);
      String target = request.line().split(" ", -1)[1];
      Script script = scripts.get(target);
      OutputStream out = socket.getOutputStream();
      if (script == null) {
        write(out, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
      } else {
        script.answer(request, out);
      }
      out.flush();
    } catch (IOException | InterruptedException | RuntimeException e) {
      // The client went away, which is what many of these tests are about.
    }
  }

  private static Seen read(Socket socket) throws IOException {
    BufferedReader in =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
    String line = in.readLine();
    Map<String, String> headers = new LinkedHashMap<>();
    for (String next = in.readLine(); next != null && !next.isEmpty(); next = in.readLine()) {
      int colon = next.indexOf(':');
      headers.put(
          next.substring(0, colon).toLowerCase(Locale.ROOT), next.substring(colon + 1).strip());
    }
    return new Seen(line == null ? "" : line, headers);
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      server.close();
      // The system lets go of the port only when nobody waits for a connection on it any more.
      accepting.join();
      synchronized (open) {
        for (Socket socket : open) {
          socket.close();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
