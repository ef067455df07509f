package dev.millrace.web.http.server;

import static java.util.Objects.requireNonNullElse;

import dev.millrace.web.http.ClientGoneException;
import dev.millrace.web.http.HttpSettings;
import dev.millrace.web.http.RequestBody;
import dev.millrace.web.http.RequestHead;
import dev.millrace.web.http.RequestIds;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.ResponseBody;
import dev.millrace.web.http.Route;
import dev.millrace.web.http.Watchdog;
import io.helidon.http.Header;
import io.helidon.http.HeaderValues;
import io.helidon.http.HttpPrologue;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.RoutingResponse;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.slf4j.MDC;

/** The web server's only handler: one request from its head to the fate of its connection. */
final class Exchange implements Handler {
  private static final Route.BodyLimit DRAIN = new Route.BodyLimit(16 << 20, Duration.ofSeconds(5));

  private final Dispatcher dispatcher;
  private final ResponseWriter writer;
  private final SseStreams streams;
  private final Watchdog watchdog;
  private final Route.BodyLimit defaultLimit;
  private final Duration idle;

  Exchange(
      Dispatcher dispatcher,
      ResponseWriter writer,
      SseStreams streams,
      Watchdog watchdog,
      HttpSettings settings) {
    this.dispatcher = dispatcher;
    this.writer = writer;
    this.streams = streams;
    this.watchdog = watchdog;
    this.defaultLimit =
        new Route.BodyLimit(settings.limits().maxBodyBytes(), settings.times().body());
    this.idle = settings.times().idle();
  }

  @Override
  public void handle(ServerRequest in, ServerResponse out) {
    RequestHead head = head(in);
    try (var _ = MDC.putCloseable(RequestIds.MDC_KEY, head.id())) {
      answer(head, in, out);
    } catch (ClientGoneException e) {
      throw new CloseConnectionException("The client is gone", e);
    }
  }

  private void answer(RequestHead head, ServerRequest in, ServerResponse out) {
    long start = System.nanoTime();
    RequestBody body =
        new RequestBody(in.content(), in.headers().contentLength().orElse(-1), watchdog);
    Response response =
        dispatcher.dispatch(
            head, route -> body.within(requireNonNullElse(route.bodyLimit(), defaultLimit)));
    boolean unread = !body.finished();
    boolean close =
        unread
            || streams.closing()
            || response.body() instanceof ResponseBody.Sse
            || in.headers().containsToken(HeaderValues.CONNECTION_CLOSE)
            // The idle timer counts from the start of a request and has marked this connection.
            || System.nanoTime() - start >= idle.toNanos();
    writer.write(head, response, close, out);
    commit(out);
    if (close) {
      // A client that waits for "100 Continue" sends nothing after a refusal.
      if (unread && in.continueSent()) {
        body.drain(DRAIN);
      }
      // The web server itself would go on and read the rest of the body as a request.
      throw new CloseConnectionException("The connection ends with this answer");
    }
  }

  /** Sends what a stream still buffers; the web server would do it later, but unwatched. */
  private void commit(ServerResponse out) {
    if (out instanceof RoutingResponse routing) {
      try (var _ = watchdog.guard()) {
        routing.commit();
      }
    }
  }

  private static RequestHead head(ServerRequest in) {
    HttpPrologue prologue = in.prologue();
    Map<String, List<String>> headers = new HashMap<>();
    for (Header header : in.headers()) {
      headers.put(header.name().toLowerCase(Locale.ROOT), List.copyOf(header.allValues()));
    }
    List<String> ids = headers.getOrDefault(RequestIds.HEADER.toLowerCase(Locale.ROOT), List.of());
    return new RequestHead(
        RequestIds.acceptOrCreate(ids.stream().findFirst()),
        prologue.method().text(),
        prologue.uriPath().rawPath(),
        prologue.query().rawValue(),
        headers,
        in.remotePeer().host());
  }
}
