package dev.millrace.testkit.openai;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The service. Each path answers with a {@link Reply}; {@link Replies} has the usual and the
 * unusual ones. A request without the right key gets 401, as it would there.
 */
public final class OpenAiDouble implements AutoCloseable {

  public static final String CHAT = "/chat/completions";
  public static final String IMAGES = "/images/generations";
  public static final String SPEECH = "/audio/speech";
  public static final String MODERATIONS = "/moderations";

  private static final String ROOT = "/v1";

  /** A request as it came. */
  public record Asked(String path, String authorization, String body) {}

  /** Writes an answer; blocks as long as it likes. */
  @FunctionalInterface
  public interface Reply {
    void to(Call call) throws IOException, InterruptedException;
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, Reply> replies = new ConcurrentHashMap<>();
  private final List<Asked> asked = new CopyOnWriteArrayList<>();
  private final AtomicInteger hungUp = new AtomicInteger();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final String key;

  /**
   * Starts the service on a free port of this machine.
   *
   * @param key what callers must show; empty for anybody
   */
  public OpenAiDouble(String key) {
    this.key = key;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    replies.put(CHAT, Replies.streamed("Hello", " there", "!"));
    replies.put(IMAGES, Replies.pictures(1));
    replies.put(SPEECH, Replies.sound());
    replies.put(MODERATIONS, Replies.judged(false));
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
  }

  public OpenAiDouble on(String path, Reply reply) {
    replies.put(path, reply);
    return this;
  }

  /** The base URL, without a slash at its end. */
  public URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + ROOT);
  }

  public List<Asked> asked() {
    return asked;
  }

  /** How many callers closed the connection before their answer was complete. */
  public int hungUp() {
    return hungUp.get();
  }

  private void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath().replaceFirst("^" + ROOT, "");
    String authorization = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    asked.add(new Asked(path, authorization, body));
    Call call = new Call(exchange, this);
    boolean known = key.isEmpty() || authorization.equals("Bearer " + key);
    Reply reply =
        known
            ? replies.getOrDefault(path, Replies.error(404, "not_found"))
            : Replies.error(401, "invalid_api_key");
    try (exchange) {
      reply.to(call);
    } catch (IOException e) {
      hungUp.incrementAndGet();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }

  /** One request that waits for its answer. */
  public static final class Call {

    private final HttpExchange exchange;
    private final OpenAiDouble service;

    Call(HttpExchange exchange, OpenAiDouble service) {
      this.exchange = exchange;
      this.service = service;
    }

    public Call header(String name, String value) {
      exchange.getResponseHeaders().add(name, value);
      return this;
    }

    /** Answers whole. */
    public void answer(int status, String mediaType, byte[] body) throws IOException {
      header("Content-Type", mediaType);
      exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    }

    /** Begins an answer of unknown length. */
    public OutputStream begin(int status, String mediaType) throws IOException {
      header("Content-Type", mediaType);
      exchange.sendResponseHeaders(status, 0);
      return exchange.getResponseBody();
    }

    /** Waits until the service is closed: for what never comes. */
    public void never() throws InterruptedException {
      service.closed.await();
    }

    /** Rests for a moment; says whether the service goes on. */
    public boolean rest(long millis) throws InterruptedException {
      return !service.closed.await(millis, TimeUnit.MILLISECONDS);
    }
  }
}
