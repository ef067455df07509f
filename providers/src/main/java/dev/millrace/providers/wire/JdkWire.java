package dev.millrace.providers.wire;

import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * The JDK's client. It speaks HTTP/1.1, because a stream of HTTP/2 that a server refuses is sent
 * again by the client itself, and nobody here would know.
 */
final class JdkWire implements Wire {

  private final HttpClient client;

  JdkWire(Duration connecting) {
    client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(connecting)
            .build();
  }

  @Override
  public Reply send(Call call) throws WireTrouble, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(call.uri());
    call.headers().forEach(request::setHeader);
    request.method(
        call.method(),
        call.body() == null ? BodyPublishers.noBody() : BodyPublishers.ofString(call.body()));
    // The request's own timeout ends with the reply's headers; this one covers the body, too.
    CompletableFuture<HttpResponse<byte[]>> sent =
        client.sendAsync(
            request.timeout(call.patience()).build(),
            BodyHandlers.limiting(BodyHandlers.ofByteArray(), call.maxBytes()));
    try {
      return reply(sent.get(call.patience().toMillis(), TimeUnit.MILLISECONDS));
    } catch (ExecutionException e) {
      throw trouble(e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException e) {
      throw new WireTrouble(WireTrouble.Kind.NO_REPLY, "no reply in time", e);
    } finally {
      // Does nothing if it is done, and closes the connection otherwise.
      sent.cancel(true);
    }
  }

  private static Reply reply(HttpResponse<byte[]> response) {
    return new Reply(
        response.statusCode(),
        response.headers().map(),
        new String(response.body(), StandardCharsets.UTF_8));
  }

  private static WireTrouble trouble(Throwable cause) {
    if (cause instanceof ConnectException
        || cause instanceof HttpConnectTimeoutException
        || cause instanceof UnknownHostException
        || cause instanceof UnresolvedAddressException
        || cause instanceof SSLHandshakeException
        || cause instanceof SSLPeerUnverifiedException) {
      return new WireTrouble(WireTrouble.Kind.NOT_SENT, "no connection could be made", cause);
    }
    String message = cause.getMessage();
    if (message != null && message.startsWith("body exceeds capacity")) {
      return new WireTrouble(WireTrouble.Kind.TOO_LARGE, "the reply is too large", cause);
    }
    return new WireTrouble(WireTrouble.Kind.NO_REPLY, "no reply came", cause);
  }
}
