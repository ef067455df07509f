package dev.millrace.web.api.fleet;

import dev.millrace.service.fleet.Enrolment;
import dev.millrace.service.fleet.Enrolment.Outcome;
import dev.millrace.service.fleet.WorkerRemoval;
import dev.millrace.service.fleet.WorkerTokens.Caller;
import dev.millrace.web.api.request.Body;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.List;

/** How a worker joins the fleet, and how it leaves. */
public final class EnrolmentRoutes {

  private final WorkerAccess access;
  private final Enrolment enrolment;
  private final WorkerRemoval removal;
  private final WorkerJson json;

  public EnrolmentRoutes(
      WorkerAccess access, Enrolment enrolment, WorkerRemoval removal, WorkerJson json) {
    this.access = access;
    this.enrolment = enrolment;
    this.removal = removal;
    this.json = json;
  }

  public List<Route> routes() {
    return List.of(
        access.open("register", this::register), access.known("deregister", this::deregister));
  }

  private Response register(Request request) {
    access.requireSecret(request, enrolment);
    Outcome.Registered registered =
        FleetRefusals.requireRegistered(
            enrolment.register(WorkerReader.application(request.jsonObject())));
    return Response.json(201, json.enrolled(registered.worker(), registered.token().text()));
  }

  private Response deregister(Request request, Caller caller) throws InterruptedException {
    Body.ofOptional(request).requireGood();
    removal.deregister(caller.worker());
    return Response.empty(204);
  }
}
