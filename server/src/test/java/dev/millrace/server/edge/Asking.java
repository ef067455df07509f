package dev.millrace.server.edge;

import dev.millrace.server.edge.PathValues.Thing;
import dev.millrace.service.access.Passes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;

/** Sends what a row says, as a caller. */
record Asking(HttpClient http, URI server) {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  Heard ask(Caller caller, RouteRow row, Map<Thing, String> ids) {
    String body = PathValues.filled(row.body(), ids);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server + PathValues.target(row, ids))).timeout(PATIENCE);
    if (row.console()) {
      body = asVisitor(request, caller, row, body);
    } else {
      if (caller.secret() != null) {
        request.header("Authorization", "Bearer " + caller.secret());
      }
      if (!body.isEmpty()) {
        request.header("Content-Type", "application/json");
      }
    }
    request.method(
        row.method(), body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    try {
      return Heard.of(http.send(request.build(), BodyHandlers.ofString()));
    } catch (IOException e) {
      throw new UncheckedIOException(caller + ": " + row, e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** With the session, and for whatever changes something with its token. */
  private static String asVisitor(
      HttpRequest.Builder request, Caller caller, RouteRow row, String body) {
    request.header("Accept", "text/html");
    String session = caller.session();
    if (session != null) {
      request.header("Cookie", "millrace_session=" + session);
    }
    if (row.method().equals("PUT")) {
      request.header("Content-Type", "application/octet-stream");
      request.header("X-File-Name", "a.json");
    } else if (!row.reads()) {
      request.header("Content-Type", "application/x-www-form-urlencoded");
    }
    if (session != null && !row.reads()) {
      request.header("X-CSRF-Token", Passes.csrf(session));
    }
    return body;
  }
}
