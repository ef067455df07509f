package dev.millrace.worker.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A client. Safe for several threads. */
public final class Web implements AutoCloseable {

  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final int MAX_ANSWER_BYTES = 32 * 1024 * 1024;
  private static final int MAX_TEXT = 2_000;

  /** Headers that the client sets itself, and that a signed address may ask for. */
  private static final Set<String> ITS_OWN =
      Set.of("connection", "content-length", "expect", "host", "upgrade");

  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(CONNECT)
          .followRedirects(HttpClient.Redirect.NEVER)
          .build();

  public Answer get(URI uri, Map<String, String> headers, Duration limit)
      throws Unreachable, InterruptedException {
    return answer(request(uri, headers).GET(), limit);
  }

  public Answer post(URI uri, Map<String, String> headers, Object json, Duration limit)
      throws Unreachable, InterruptedException {
    return answer(
        request(uri, headers)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofByteArray(AnswerJson.write(json))),
        limit);
  }

  /** Any method, any body. */
  public Answer send(
      String method, URI uri, Map<String, String> headers, BodyPublisher body, Duration limit)
      throws Unreachable, InterruptedException {
    return answer(request(uri, headers).method(method, body), limit);
  }

  /** The answer with a body that is still to be read; the caller closes it. */
  public HttpResponse<InputStream> open(URI uri, Map<String, String> headers, Duration limit)
      throws Unreachable, InterruptedException {
    return exchange(request(uri, headers).GET(), BodyHandlers.ofInputStream(), limit);
  }

  /** Connects a WebSocket; the future fails if that isn't possible. */
  public CompletableFuture<WebSocket> connect(URI uri, WebSocket.Listener listener) {
    return client.newWebSocketBuilder().connectTimeout(CONNECT).buildAsync(uri, listener);
  }

  @Override
  public void close() {
    client.shutdownNow();
  }

  private static HttpRequest.Builder request(URI uri, Map<String, String> headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri);
    headers.forEach((name, value) -> {
      if (!ITS_OWN.contains(name.toLowerCase(Locale.ROOT))) {
        request.header(name, value);
      }
    });
    return request;
  }

  private Answer answer(HttpRequest.Builder request, Duration limit)
      throws Unreachable, InterruptedException {
    BodyHandler<byte[]> bounded =
        BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_ANSWER_BYTES);
    HttpResponse<byte[]> response = exchange(request, bounded, limit);
    byte[] body = response.body();
    return new Answer(
        response.statusCode(),
        AnswerJson.read(body),
        new String(body, 0, Math.min(body.length, MAX_TEXT), StandardCharsets.UTF_8),
        retryAfter(response),
        response.headers().firstValue("Location"),
        response.headers().firstValue("ETag").orElse(""));
  }

  /** The limit of the JDK's own ends with the headers; this one holds for the body too. */
  private <T> HttpResponse<T> exchange(
      HttpRequest.Builder request, BodyHandler<T> handler, Duration limit)
      throws Unreachable, InterruptedException {
    CompletableFuture<HttpResponse<T>> future =
        client.sendAsync(request.timeout(limit).build(), handler);
    try {
      return future.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      future.cancel(true);
      throw e;
    } catch (TimeoutException e) {
      future.cancel(true);
      throw new Unreachable("no answer within " + limit.toSeconds() + " s", false, e);
    } catch (CancellationException e) {
      throw new Unreachable("the connection was closed", false, e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      if (cause instanceof IOException trouble) {
        throw new Unreachable(words(trouble), neverSent(trouble), trouble);
      }
      throw new IllegalStateException(cause);
    }
  }

  private static boolean neverSent(Throwable trouble) {
    return trouble instanceof ConnectException
        || trouble instanceof HttpConnectTimeoutException
        || trouble instanceof UnresolvedAddressException;
  }

  private static String words(IOException trouble) {
    if (neverSent(trouble)) {
      return "no connection";
    }
    String message = trouble.getMessage();
    return message == null ? trouble.getClass().getSimpleName() : message;
  }

  private static Optional<Duration> retryAfter(HttpResponse<?> response) {
    return response
        .headers()
        .firstValue("Retry-After")
        .filter(text -> text.matches("[0-9]{1,6}"))
        .map(text -> Duration.ofSeconds(Long.parseLong(text)));
  }
}
