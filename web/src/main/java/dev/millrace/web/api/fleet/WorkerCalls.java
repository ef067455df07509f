package dev.millrace.web.api.fleet;

import dev.millrace.postgres.fleet.HeldLease;
import dev.millrace.service.fleet.WorkerFiles;
import dev.millrace.service.fleet.WorkerReports;
import dev.millrace.service.fleet.WorkerReports.Claimed;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.RequestHead;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import dev.millrace.web.http.RouteHandler;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The calls of the worker protocol for a surface that has other names for them: it turns a body
 * into one of ours, and everything else is as it is for our own workers.
 */
public final class WorkerCalls {

  private static final String PATH = "/api/worker/";

  private final Map<String, RouteHandler> calls = new HashMap<>();
  private final WorkerAccess access;
  private final WorkerReports reports;
  private final WorkerFiles files;

  public WorkerCalls(
      List<Route> protocol, WorkerAccess access, WorkerReports reports, WorkerFiles files) {
    for (Route route : protocol) {
      calls.put(route.template().substring(PATH.length()), route.handler());
    }
    this.access = access;
    this.reports = reports;
    this.files = files;
  }

  /** What a call answers to this body, sent by whoever sent the request. */
  public Response call(String name, Request request, ObjectNode body) throws Exception {
    Map<String, List<String>> headers = new HashMap<>(request.headers());
    headers.put("content-type", List.of("application/json"));
    RequestHead head =
        new RequestHead(request.id(), "POST", PATH + name, "", headers, request.remoteAddress());
    byte[] bytes = JsonMapper.shared().writeValueAsBytes(body);
    return Objects.requireNonNull(calls.get(name), name).handle(new Request(head, Map.of(), bytes));
  }

  /** The name of the worker that calls. */
  public String caller(Request request) {
    return access.require(request).id();
  }

  /** The lease, if this worker has it now. */
  public Optional<HeldLease> held(String worker, UUID job, UUID token) {
    return reports.held(new Claimed(worker, job, token));
  }

  public ProblemException staleLease() {
    return FleetProblems.staleLease();
  }

  public WorkerFiles files() {
    return files;
  }
}
