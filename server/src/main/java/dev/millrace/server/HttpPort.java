package dev.millrace.server;

import dev.millrace.server.settings.Settings;
import dev.millrace.web.http.CrossOrigin;
import dev.millrace.web.http.HttpSettings;
import dev.millrace.web.http.Route;
import dev.millrace.web.http.server.HttpServer;
import java.io.UncheckedIOException;
import java.util.List;

/** Opens the port, or says why not. */
final class HttpPort {

  private HttpPort() {}

  private static HttpSettings httpSettings(Settings.Http wanted) {
    HttpSettings base = HttpSettings.on(wanted.host(), wanted.port());
    HttpSettings.Times times = base.times();
    return base.withLimits(
            new HttpSettings.Limits(
                wanted.maxBodyBytes(),
                base.limits().maxHeaderBytes(),
                base.limits().maxConnections()))
        .withTimes(
            new HttpSettings.Times(
                times.header(),
                wanted.requestTimeout(),
                times.write(),
                times.idle(),
                StopTimes.of(wanted.shutdownGrace()).requests()));
  }

  static HttpServer serve(Settings.Http wanted, List<Route> routes, CrossOrigin crossOrigin) {
    try {
      return new HttpServer(httpSettings(wanted), routes, crossOrigin).start();
    } catch (IllegalStateException | UncheckedIOException e) {
      throw new StartupException(
          ("Can't listen on %s port %d: the port is taken, or the address is not this machine's."
                  + " Set MILLRACE_HTTP_PORT or MILLRACE_HTTP_HOST to another.")
              .formatted(wanted.host(), wanted.port()),
          e);
    }
  }
}
