package dev.millrace.server.rig;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Where a service's outputs lie: some come at once, and some a byte every now and then. */
public final class OutputSite implements AutoCloseable {

  private static final int MUCH = 10_000_000;
  private static final byte[] TEXT = "a picture".getBytes(StandardCharsets.UTF_8);

  private final HttpServer server;
  private final AtomicInteger dripping = new AtomicInteger();
  private final CountDownLatch quick = new CountDownLatch(1);

  public OutputSite() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/good", OutputSite::good);
    server.createContext("/drip", this::drip);
    server.createContext("/cut", HttpExchange::close);
    server.start();
  }

  /** The setting that lets a server fetch from here. */
  public String setting() {
    return "FETCH_ALLOW=127.0.0.1:" + server.getAddress().getPort();
  }

  public JsonNode good() {
    return output("/good/out.txt");
  }

  /** Comes too slowly to end in this life, until {@link #hurry}. */
  public JsonNode dripping() {
    return output("/drip/out.txt");
  }

  /** Cuts every connection, for now. */
  public JsonNode cut() {
    return output("/cut/out.txt");
  }

  private JsonNode output(String path) {
    return JsonNodeFactory.instance
        .arrayNode()
        .add("http://127.0.0.1:" + server.getAddress().getPort() + path);
  }

  /** How many are coming slowly, as far as this side has noticed. */
  public int drips() {
    return dripping.get();
  }

  /** From now on everything comes at once. */
  public void hurry() {
    quick.countDown();
  }

  private static void good(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getResponseHeaders().set("Content-Type", "text/plain");
      exchange.sendResponseHeaders(200, TEXT.length);
      exchange.getResponseBody().write(TEXT);
    }
  }

  private void drip(HttpExchange exchange) throws IOException {
    if (quick.getCount() == 0) {
      good(exchange);
      return;
    }
    dripping.incrementAndGet();
    try (exchange) {
      exchange.getResponseHeaders().set("Content-Type", "text/plain");
      exchange.sendResponseHeaders(200, MUCH);
      OutputStream body = exchange.getResponseBody();
      while (!quick.await(200, TimeUnit.MILLISECONDS)) {
        body.write('x');
        body.flush();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      dripping.decrementAndGet();
    }
  }

  @Override
  public void close() {
    hurry();
    server.stop(0);
  }
}
