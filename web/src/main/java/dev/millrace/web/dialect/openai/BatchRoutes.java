package dev.millrace.web.dialect.openai;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.millrace.postgres.files.FileView;
import dev.millrace.postgres.requests.RequestListView;
import dev.millrace.postgres.requests.RequestLists;
import dev.millrace.service.access.Credential;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.requests.RequestListRunner;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.json.JobJson;
import dev.millrace.web.api.request.Params;
import dev.millrace.web.dialect.Dialect;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Files of requests, which are worked off within a day. */
final class BatchRoutes {

  private static final Duration LIFE = Duration.ofHours(24);
  private static final int MOST_UNDER_WAY = 100;
  private static final int MOST_METADATA = 4_096;

  private final Authentication authentication;
  private final Calls calls;
  private final RequestLists lists;
  private final RequestListRunner runner;

  BatchRoutes(
      Authentication authentication, Calls calls, RequestLists lists, RequestListRunner runner) {
    this.authentication = authentication;
    this.calls = calls;
    this.lists = lists;
    this.runner = runner;
  }

  List<Route> routes() {
    return List.of(
        Route.post("/openai/v1/batches", authentication.require(Scope.JOBS_WRITE, this::create)),
        Route.get("/openai/v1/batches", authentication.require(Scope.JOBS_READ, this::list)),
        Route.get(
            "/openai/v1/batches/{batch}", authentication.require(Scope.JOBS_READ, this::show)),
        Route.post(
            "/openai/v1/batches/{batch}/cancel",
            authentication.require(Scope.JOBS_WRITE, this::cancel)));
  }

  private Response create(Request request, Principal principal) {
    ObjectNode body = request.jsonObject();
    String endpoint = body.path("endpoint").asString("");
    if (!BatchLines.ENDPOINTS.contains(endpoint)) {
      throw ProblemException.invalid(
          "/endpoint", "must be one of " + String.join(", ", BatchLines.ENDPOINTS));
    }
    if (!body.path("completion_window").asString("").equals("24h")) {
      throw ProblemException.invalid("/completion_window", "must be 24h");
    }
    JsonNode metadata = body.path("metadata");
    if (metadata.toString().length() > MOST_METADATA
        || !(metadata.isObject() || metadata.isNull() || metadata.isMissingNode())) {
      throw ProblemException.invalid("/metadata", "must be an object of at most 4096 characters");
    }
    FileView file =
        Ids.find(Ids.FILE, body.path("input_file_id").asString(""))
            .flatMap(id -> calls.given().files().find(principal.visibility(), id))
            .filter(found -> found.kind().equals("input"))
            .orElseThrow(() -> ProblemException.invalid("/input_file_id", "is no file of yours"));
    if (principal.credential().kind() == Credential.Kind.TOKEN) {
      // Its jobs would be counted against nobody.
      throw new ProblemException(403, "forbidden", "This needs a key: a token can't be counted.");
    }
    RequestListView made =
        lists
            .create(
                UuidCreator.getTimeOrderedEpoch(),
                new RequestListView.Owner(
                    principal.tenant(),
                    Params.user(principal, null, "/user"),
                    Params.workspace(principal, null, "/workspace"),
                    principal.bounds().effects() == null
                        ? null
                        : List.copyOf(principal.bounds().effects())),
                new RequestListView.Request(
                    Dialect.OPENAI.label(),
                    endpoint,
                    calls.publicUrl().of(request).toString(),
                    metadata.isObject() ? metadata.toString() : null,
                    file.id()),
                LIFE,
                MOST_UNDER_WAY)
            .orElseThrow(() ->
                new ProblemException(
                    429, "too_many_batches", "Too many batches are under way. Wait for one."));
    return Response.json(200, json(made));
  }

  private RequestListView find(Request request, Principal principal) {
    return lists
        .find(principal.visibility(), Ids.of(Ids.BATCH, request.pathParameter("batch")))
        .filter(list -> list.request().dialect().equals(Dialect.OPENAI.label()))
        .orElseThrow(ProblemException::notFound);
  }

  private Response show(Request request, Principal principal) {
    return Response.json(200, json(find(request, principal)));
  }

  private Response list(Request request, Principal principal) {
    Page page = Page.of(request, Ids.BATCH);
    List<RequestListView> found =
        lists.list(principal.visibility(), Dialect.OPENAI.label(), page.after(), page.limit() + 1);
    List<ObjectNode> shown = page.cut(found).stream().map(this::json).toList();
    return Response.json(200, page.json(shown, found.size()));
  }

  private Response cancel(Request request, Principal principal) {
    RequestListView list = find(request, principal);
    runner.cancel(principal.tenant(), list.id());
    return Response.json(200, json(find(request, principal)));
  }

  private ObjectNode json(RequestListView list) {
    RequestLists.Counts counts =
        list.times().endedAt() == null
            ? lists.lines().counts(list)
            : new RequestLists.Counts(list.progress().done(), list.progress().refused());
    ObjectNode json = JsonMapper.shared().createObjectNode();
    json.put("id", Ids.BATCH + list.id());
    json.put("object", "batch");
    json.put("endpoint", list.request().endpoint());
    if (list.progress().mistakes() == null) {
      json.putNull("errors");
    } else {
      json.putObject("errors")
          .put("object", "list")
          .set("data", JsonMapper.shared().readTree(list.progress().mistakes()));
    }
    json.put("input_file_id", Ids.FILE + list.request().inputFile());
    json.put("completion_window", "24h");
    json.put("status", status(list.progress().state()));
    json.put("output_file_id", file(list.results().outputFile()));
    json.put("error_file_id", file(list.results().errorFile()));
    put(json, "created_at", list.times().createdAt());
    put(json, "in_progress_at", list.times().beganAt());
    put(json, "expires_at", list.times().expiresAt());
    put(json, "finalizing_at", list.times().finalizingAt());
    put(json, "completed_at", at(list, "completed"));
    put(json, "failed_at", at(list, "failed"));
    put(json, "expired_at", at(list, "expired"));
    put(json, "cancelling_at", list.times().cancelingAt());
    put(json, "cancelled_at", at(list, "canceled"));
    json.putObject("request_counts")
        .put("total", list.progress().lines() == null ? 0 : list.progress().lines())
        .put("completed", counts.done())
        .put("failed", counts.refused());
    json.set(
        "metadata",
        list.request().metadata() == null
            ? json.nullNode()
            : JobJson.object(list.request().metadata()));
    return json;
  }

  private static @Nullable Instant at(RequestListView list, String state) {
    return list.progress().state().equals(state) ? list.times().endedAt() : null;
  }

  private static @Nullable String file(@Nullable UUID id) {
    return id == null ? null : Ids.FILE + id;
  }

  private static void put(ObjectNode json, String name, @Nullable Instant time) {
    if (time == null) {
      json.putNull(name);
    } else {
      json.put(name, time.getEpochSecond());
    }
  }

  private static String status(String state) {
    return switch (state) {
      case "canceling" -> "cancelling";
      case "canceled" -> "cancelled";
      default -> state;
    };
  }
}
