package dev.millrace.server.api;

import dev.millrace.postgres.Database;
import dev.millrace.server.files.StoreWatch;
import dev.millrace.server.http.ProblemException;
import dev.millrace.server.http.Request;
import dev.millrace.server.http.Response;
import dev.millrace.server.http.Route;
import dev.millrace.server.observe.Metrics;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/** For load balancers, scrapers and the curious. */
public final class SystemRoutes {

  private static final Logger LOG = LoggerFactory.getLogger(SystemRoutes.class);

  private final Database database;
  private final Metrics metrics;
  private final StoreWatch files;

  SystemRoutes(Database database, Metrics metrics, StoreWatch files) {
    this.database = database;
    this.metrics = metrics;
    this.files = files;
  }

  List<Route> routes() {
    return List.of(
        Route.get("/", this::hello),
        Route.get("/healthz", _ -> Response.text(200, "ok\n")),
        Route.get("/readyz", this::ready),
        Route.get("/metrics", this::scrape),
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
    try {
      if (database.ready()) {
        return Response.text(200, files.reachable() ? "ready\n" : "ready, but not for files\n");
      }
    } catch (RuntimeException e) {
      LOG.warn("Not ready: the database does not answer", e);
    }
    throw new ProblemException(503, "not_ready", "The database does not answer.")
        .header("Retry-After", "1");
  }

  private Response scrape(Request request) {
    return Response.text(200, metrics.scrape())
        .header("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
  }
}
