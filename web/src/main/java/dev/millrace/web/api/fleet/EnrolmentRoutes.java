package dev.millrace.web.api.fleet;

import dev.millrace.postgres.fleet.WorkerView;
import dev.millrace.service.fleet.Enrolment;
import dev.millrace.service.fleet.Enrolment.Outcome;
import dev.millrace.service.fleet.WorkerRemoval;
import dev.millrace.service.fleet.WorkerToken;
import dev.millrace.service.fleet.WorkerTokens.Caller;
import dev.millrace.web.api.request.Body;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.List;

/** How a worker joins the fleet, and how it leaves. */
public final class EnrolmentRoutes {

  private static final String SECRET = "X-Fleet-Secret";

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
    requireSecret(request);
    return switch (enrolment.register(WorkerReader.application(request))) {
      case Outcome.Registered(WorkerView worker, WorkerToken token) ->
          Response.json(201, json.enrolled(worker, token.text()));
      case Outcome.Full(int most) -> throw FleetProblems.full(most);
      case Outcome.NameRevoked() -> throw FleetProblems.nameRevoked();
      case Outcome.NameTaken(var silence) -> throw FleetProblems.nameTaken(silence);
      case Outcome.WorkflowsRefused(var wrong) -> throw FleetProblems.workflows(wrong);
      case Outcome.MachineRefused(var why) -> throw FleetProblems.machine(why);
    };
  }

  private void requireSecret(Request request) {
    switch (enrolment.secret(request.header(SECRET))) {
      case RIGHT -> {}
      case CLOSED -> throw FleetProblems.closed();
      case MISSING -> {
        access.countStranger(request);
        throw FleetProblems.secretMissing();
      }
      case WRONG -> {
        access.countStranger(request);
        throw FleetProblems.secretWrong();
      }
    }
  }

  private Response deregister(Request request, Caller caller) throws InterruptedException {
    Body.ofOptional(request).requireGood();
    if (removal.remove(caller.worker())) {
      enrolment.note(caller.worker(), "worker.deregister");
    }
    return Response.empty(204);
  }
}
