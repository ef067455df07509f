package dev.millrace.web.http.server;

import dev.millrace.web.http.CrossOrigin;
import dev.millrace.web.http.HttpSettings;
import dev.millrace.web.http.Route;
import dev.millrace.web.http.Router;
import dev.millrace.web.http.Watchdog;
import io.helidon.http.encoding.ContentEncodingContext;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http1.Http1Config;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The HTTP server: settings and routes in, requests answered until it is closed. */
public final class HttpServer implements AutoCloseable {
  /** A refusal can be read only once the body was, and to read this much costs nothing. */
  private static final long POLITE_BYTES = 16 << 20;

  private final ScheduledThreadPoolExecutor clock = Watchdog.clock();
  private final SseStreams streams;
  private final Connections connections;
  private final WebServer web;

  /** A server whose answers are for its own pages only. */
  public HttpServer(HttpSettings settings, List<Route> routes) {
    this(settings, routes, CrossOrigin.NONE);
  }

  public HttpServer(HttpSettings settings, List<Route> routes, CrossOrigin crossOrigin) {
    HttpSettings.Limits limits = settings.limits();
    HttpSettings.Times times = settings.times();
    Router router = new Router(routes);
    Watchdog writes = Watchdog.of(clock, times.write());
    this.streams = new SseStreams(writes);
    ResponseWriter writer = new ResponseWriter(writes);
    Exchange exchange =
        new Exchange(new Dispatcher(router, crossOrigin), writer, streams, writes, settings);
    this.connections = new Connections(http1(limits, Watchdog.of(clock, times.header())), streams);
    this.web =
        WebServer.builder()
            .host(settings.host())
            .port(settings.port())
            .shutdownHook(false)
            .shutdownGracePeriod(times.shutdownGrace())
            // The server holds a whole chunk in memory; StrictReader bounds what one can cost.
            .maxPayloadSize(Math.max(POLITE_BYTES, router.largestBody(limits.maxBodyBytes())))
            .maxTcpConnections(limits.maxConnections())
            .idleConnectionTimeout(times.idle())
            .idleConnectionPeriod(idlePeriod(times.idle()))
            // A channel would keep two buffers of 8 KiB for as long as it is open, a socket one.
            .useNio(false)
            // Small frames of an event stream must not wait for the acknowledgement of the last.
            .connectionOptions(options -> options.tcpNoDelay(true))
            .featuresDiscoverServices(false)
            .protocolsDiscoverServices(false)
            .addConnectionSelector(connections)
            .contentEncoding(
                ContentEncodingContext.builder().contentEncodingsDiscoverServices(false).build())
            // Our handler of early errors needs the reason; it never passes it on.
            .errorHandling(errors -> errors.includeEntity(true))
            .directHandlers(EarlyErrors.forAllEvents())
            .routing(routing -> routing.any(exchange))
            .build();
  }

  /** The web server would always want a host, but clients that know none are answered too. */
  @SuppressWarnings("removal")
  private static Http1Config http1(HttpSettings.Limits limits, Watchdog headers) {
    return Http1Config.builder()
        .maxHeadersSize(limits.maxHeaderBytes())
        .maxPrologueLength(limits.maxHeaderBytes())
        .validateRequestHostHeader(false)
        .addReceiveListener(new HeadListener(headers))
        .build();
  }

  private static Duration idlePeriod(Duration idle) {
    return Duration.ofMillis(Math.clamp(idle.toMillis() / 2, 10, 5_000));
  }

  public HttpServer start() {
    web.start();
    if (!web.isRunning()) {
      clock.shutdownNow();
      throw new IllegalStateException("The HTTP server could not start; is the port taken?");
    }
    return this;
  }

  /** The port that is bound, which matters if the settings asked for a free one. */
  public int port() {
    return web.port();
  }

  /**
   * Stops accepting, ends the event streams, and gives running requests the grace to end. Requests
   * that are answered meanwhile close their connections.
   */
  @Override
  public void close() {
    streams.close();
    Future<?> sweep =
        clock.scheduleWithFixedDelay(connections::closeIdle, 0, 50, TimeUnit.MILLISECONDS);
    web.stop();
    sweep.cancel(false);
    connections.closeIdle();
    clock.shutdownNow();
  }
}
