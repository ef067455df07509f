package dev.millrace.web.api.browser;

import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.browsers.Tickets;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.request.Body;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.time.InstantSource;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.json.JsonMapper;

/** Tickets for streams that are opened where no header can be sent. */
public final class TicketRoutes {

  private static final Pattern STREAM =
      Pattern.compile(
          "/api/(?:jobs|batches|processes)/[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/stream");

  private final Authentication authentication;
  private final Tickets tickets;
  private final InstantSource clock;

  public TicketRoutes(Authentication authentication, Tickets tickets, InstantSource clock) {
    this.authentication = authentication;
    this.tickets = tickets;
    this.clock = clock;
  }

  public List<Route> routes() {
    return List.of(
        Route.post("/api/tickets", authentication.require(Scope.JOBS_READ, this::issue)));
  }

  /** What is behind the path is not looked at here: the stream answers for that. */
  private Response issue(Request request, Principal principal) {
    Body body = Body.of(request, "path");
    String path = body.text("path");
    if (!path.isEmpty() && !STREAM.matcher(path).matches()) {
      body.wrong(
          "path",
          "must be the path of a stream, /api/jobs/{id}/stream, /api/batches/{id}/stream or"
              + " /api/processes/{id}/stream");
    }
    body.requireGood();
    String ticket = tickets.issue(principal, path);
    return Response.json(
            201,
            JsonMapper.shared()
                .createObjectNode()
                .put("ticket", ticket)
                .put("path", path)
                .put("ends_at", clock.instant().plus(Tickets.LIFE).toString()))
        .header("Cache-Control", "no-store");
  }
}
