package dev.millrace.server;

import dev.millrace.server.settings.Settings;
import dev.millrace.web.access.AllowedHosts;
import dev.millrace.web.access.MetricsAccess;
import dev.millrace.web.api.Api;
import dev.millrace.web.api.file.FileSizes;
import dev.millrace.web.api.request.PublicUrl;
import dev.millrace.web.limits.RequestRates;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** What the web layer is told of the world outside: under which names it is known, and to whom. */
final class EdgeWiring {

  private static final Pattern LOOPBACK =
      Pattern.compile("localhost|127\\.[0-9.]+|\\[?::1]?", Pattern.CASE_INSENSITIVE);

  private EdgeWiring() {}

  static Api.Edge edge(Settings settings) {
    Settings.Files files = settings.files();
    Settings.Rate rate = settings.rate();
    return new Api.Edge(
        new RequestRates(
            new RequestRates.Limits(
                rate.requestsPerMinute(),
                rate.burst(),
                rate.tenantRequestsPerMinute(),
                rate.unauthenticatedPerMinute())),
        new PublicUrl(settings.http().publicUrl()),
        hosts(settings.http()),
        metrics(settings),
        settings.http().dialects(),
        files.urlTtl(),
        new FileSizes(files.maxUploadBytes(), files.maxOutputBytes(), files.partBytes()),
        InstantSource.system());
  }

  static AllowedHosts hosts(Settings.Http http) {
    List<String> names = new ArrayList<>(http.allowedHosts());
    URI publicUrl = http.publicUrl();
    if (publicUrl != null) {
      names.add(publicUrl.getHost());
    }
    if (!http.allowedHosts().isEmpty()) {
      return AllowedHosts.only(names);
    }
    names.add(http.host());
    names.addAll(MachineName.all());
    return AllowedHosts.andAddresses(names);
  }

  /** A public URL leads here through somebody who is on this machine and asks for the whole net. */
  static MetricsAccess metrics(Settings settings) {
    MetricsAccess.Rule rule =
        switch (settings.metrics().access()) {
          case OPEN -> MetricsAccess.Rule.OPEN;
          case KEY -> MetricsAccess.Rule.KEY;
          case OFF -> MetricsAccess.Rule.OFF;
          case AUTO ->
              settings.http().publicUrl() == null
                      && LOOPBACK.matcher(settings.http().host()).matches()
                  ? MetricsAccess.Rule.OPEN
                  : MetricsAccess.Rule.KEY;
        };
    return new MetricsAccess(rule, settings.metrics().token());
  }
}
