package dev.millrace.cli.fake;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.millrace.testkit.net.KeptPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Answers each method and path with the next of its scripted answers; the last one repeats. What it
 * says in JSON is held against the OpenAPI file, and closing it fails if the real server never says
 * that.
 */
public final class FakeServer implements AutoCloseable {

  /** One request as it arrived. */
  public record Seen(
      String method, String path, String query, String body, Map<String, String> headers) {

    public String header(String name) {
      return headers.getOrDefault(name, "");
    }
  }

  /** Plays one answer. */
  @FunctionalInterface
  public interface Answer {
    void play(HttpExchange exchange) throws IOException;
  }

  /** What was said that the real server never says. */
  private record Lies(Set<String> told) {}

  private static final String LIES = "lies";

  private final Lies lies = new Lies(ConcurrentHashMap.newKeySet());
  private final Map<String, Deque<Answer>> script = new HashMap<>();
  private final List<Seen> seen = new CopyOnWriteArrayList<>();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private volatile HttpServer http;
  private volatile boolean listening = true;
  private final int port = KeptPort.next();

  public FakeServer() {
    http = listen();
  }

  public String url() {
    return "http://127.0.0.1:" + port;
  }

  public FakeServer on(String methodAndPath, Answer... answers) {
    script.put(methodAndPath, new ArrayDeque<>(List.of(answers)));
    return this;
  }

  /** The requests for a method and path, in order. */
  public List<Seen> seen(String methodAndPath) {
    return seen.stream().filter(s -> (s.method() + " " + s.path()).equals(methodAndPath)).toList();
  }

  public List<Seen> seen() {
    return List.copyOf(seen);
  }

  public boolean isListening() {
    return listening;
  }

  /** Stops to listen, so that connections are refused until {@link #comeBack}. */
  public void goAway() {
    listening = false;
    http.stop(0);
  }

  public void comeBack() {
    http = listen();
    listening = true;
  }

  public static Answer json(int status, String body, String... headers) {
    return exchange -> {
      exchange.getResponseHeaders().set("Content-Type", ApiCheck.type(status));
      for (int i = 0; i < headers.length; i += 2) {
        exchange.getResponseHeaders().set(headers[i], headers[i + 1]);
      }
      if (exchange.getAttribute(LIES) instanceof Lies(Set<String> told)) {
        String path = exchange.getRequestURI().getPath();
        told.addAll(ApiCheck.answer(exchange.getRequestMethod(), path, status, body));
      }
      send(exchange, status, body.getBytes(StandardCharsets.UTF_8));
    };
  }

  public static Answer problem(int status, String code, String detail, String... headers) {
    return problemWith(status, code, detail, "", headers);
  }

  /**
   * A problem that says more.
   *
   * @param more fields, each with a comma before it
   */
  public static Answer problemWith(
      int status, String code, String detail, String more, String... headers) {
    return json(status, problemText(status, code, detail, more), headers);
  }

  /** A problem as it also stands in the results of a batch. */
  public static String problemText(int status, String code, String detail, String more) {
    return """
    {"type":"urn:millrace:problem:%s","title":"Refused","status":%d,"code":"%s","detail":"%s"%s}
    """
        .formatted(code, status, code, detail, more);
  }

  public static Answer bytes(byte[] body) {
    return exchange -> send(exchange, 200, body);
  }

  /** A whole stream that ends as it should. */
  public static Answer events(String... frames) {
    return exchange -> {
      exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
      send(exchange, 200, String.join("", frames).getBytes(StandardCharsets.UTF_8));
    };
  }

  /** Promises more than it sends, so that the client sees the connection break. */
  public static Answer brokenEvents(String... frames) {
    return exchange -> {
      exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
      exchange.sendResponseHeaders(200, 1_000_000);
      exchange.getResponseBody().write(String.join("", frames).getBytes(StandardCharsets.UTF_8));
      exchange.getResponseBody().flush();
      exchange.close();
    };
  }

  /** Closes the connection without an answer. */
  public static Answer hangUp() {
    return HttpExchange::close;
  }

  /** Sends the frames and then nothing more, until the server is closed. */
  public Answer endlessEvents(String... frames) {
    return exchange -> {
      exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
      exchange.sendResponseHeaders(200, 0);
      exchange.getResponseBody().write(String.join("", frames).getBytes(StandardCharsets.UTF_8));
      exchange.getResponseBody().flush();
      try {
        closing.await();
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
      exchange.close();
    };
  }

  @Override
  public void close() {
    closing.countDown();
    http.stop(0);
    threads.shutdownNow();
    if (!lies.told().isEmpty()) {
      throw new AssertionError("The real server doesn't speak like this: " + lies.told());
    }
  }

  private HttpServer listen() {
    try {
      HttpServer server = HttpServer.create();
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
      server.setExecutor(threads);
      server.createContext("/", this::answer);
      server.start();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getRawPath();
    String query = exchange.getRequestURI().getRawQuery();
    Map<String, String> headers = new HashMap<>();
    exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, values.getFirst()));
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    seen.add(
        new Seen(exchange.getRequestMethod(), path, query == null ? "" : query, body, headers));
    exchange.setAttribute(LIES, lies);
    next(exchange.getRequestMethod() + " " + path).play(exchange);
  }

  private Answer next(String methodAndPath) {
    synchronized (script) {
      Deque<Answer> answers = script.get(methodAndPath);
      if (answers == null) {
        return problem(404, "not_found", "There is nothing at " + methodAndPath + ".");
      }
      return answers.size() > 1 ? answers.removeFirst() : answers.getFirst();
    }
  }

  private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    if (body.length > 0) {
      exchange.getResponseBody().write(body);
    }
    exchange.close();
  }
}
