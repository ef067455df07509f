package dev.millrace.web.api;

import dev.millrace.service.duties.Readiness;
import dev.millrace.service.files.StoreWatch;
import dev.millrace.service.observe.Metrics;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.access.MetricsAccess;
import dev.millrace.web.api.request.OpenApi;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import dev.millrace.web.http.RouteHandler;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/** For load balancers, scrapers and the curious. */
public final class SystemRoutes {

  private final Readiness readiness;
  private final Metrics metrics;
  private final RouteHandler scraping;

  SystemRoutes(
      Readiness readiness, Metrics metrics, Authentication authentication, MetricsAccess access) {
    this.readiness = readiness;
    this.metrics = metrics;
    this.scraping = access.guard(authentication, this::scrape);
  }

  List<Route> routes() {
    return List.of(
        Route.get("/", this::hello),
        Route.get("/healthz", _ -> Response.text(200, "ok\n")),
        Route.get("/readyz", this::ready),
        Route.get("/metrics", scraping),
        Route.get("/openapi.json", _ -> Response.bytes(200, "application/json", OpenApi.json())));
  }

  /** A program gets facts, a person gets the console. */
  private Response hello(Request request) {
    if (request.header("accept").orElse("").contains("text/html")) {
      return Response.redirect(303, "console").header("Vary", "Accept");
    }
    return Response.json(
        200,
        JsonMapper.shared()
            .createObjectNode()
            .put("name", "Millrace")
            .put("api", "/api")
            .put("openapi", "/openapi.json"));
  }

  /** Without its files a server still answers most requests, so it stays in service. */
  private Response ready(Request request) {
    Optional<String> trouble = readiness.trouble();
    if (trouble.isPresent()) {
      throw new ProblemException(503, "not_ready", trouble.get()).header("Retry-After", "1");
    }
    return Response.text(200, words(readiness.files()));
  }

  private static String words(StoreWatch.Standing files) {
    return switch (files) {
      case GOOD -> "ready\n";
      case AWAY -> "ready, but not for files\n";
      case OTHER_TIME ->
          "ready, but signed URLs may be refused: our clock differs from the files' store\n";
    };
  }

  private Response scrape(Request request) {
    return Response.text(200, metrics.scrape())
        .header("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
  }
}
