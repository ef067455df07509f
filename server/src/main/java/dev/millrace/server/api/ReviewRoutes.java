package dev.millrace.server.api;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.Failure;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.records.FileView;
import dev.millrace.postgres.records.JobView;
import dev.millrace.server.auth.Authentication;
import dev.millrace.server.auth.Principal;
import dev.millrace.server.auth.Role;
import dev.millrace.server.http.Handler;
import dev.millrace.server.http.ProblemException;
import dev.millrace.server.http.Request;
import dev.millrace.server.http.Response;
import dev.millrace.server.http.Route;
import dev.millrace.server.jobs.Again;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What reviewers look at and decide. Each decision leaves a line in the audit. */
public final class ReviewRoutes {

  private final Authentication authentication;
  private final Engine engine;
  private final Again again;
  private final ShownJobs shown;

  ReviewRoutes(Authentication authentication, Engine engine, Again again, ShownJobs shown) {
    this.authentication = authentication;
    this.engine = engine;
    this.again = again;
    this.shown = shown;
  }

  List<Route> routes() {
    return List.of(
        Route.get("/api/jobs/{id}/items", reviewer(this::items)),
        Route.post("/api/jobs/{id}/approve", reviewer(this::approve)),
        Route.post("/api/jobs/{id}/decline", reviewer(this::decline)),
        Route.post("/api/admin/jobs/{id}/reject", reviewer(this::reject)),
        Route.post("/api/admin/jobs/{id}/overturn", reviewer(this::overturn)));
  }

  private Handler reviewer(Authentication.Authenticated handler) {
    return authentication.require(Role.REVIEWER, handler);
  }

  private Response items(Request request, Principal principal) {
    JobView job = shown.find(request, principal);
    ObjectNode json = JsonMapper.shared().createObjectNode();
    var items = json.putArray("items");
    for (FileView file : made(job)) {
      items.add(shown.fileJson().file(file, request).put("withheld", file.withheld()));
    }
    return Response.json(200, json);
  }

  private List<FileView> made(JobView job) {
    return shown.files().madeBy(job.tenantId(), job.id());
  }

  private Response approve(Request request, Principal principal) throws InterruptedException {
    JobView job = shown.find(request, principal);
    Body body = Body.ofOptional(request, "items", "follow_up");
    @Nullable Set<UUID> named = body.idsOrNull("items");
    boolean goesOn = body.flag("follow_up", true);
    body.requireGood();
    List<UUID> all = made(job).stream().map(FileView::id).toList();
    Report.Approve alone = new Report.Approve(ShownJobs.id(job), principal.actor(), named, null);
    Report.Approve approval =
        goesOn && approvable(job, all, named) ? approval(job, principal, all, named) : alone;
    Refusals.requireDone(engine.report(approval), "approved");
    return shown.answer(200, request, principal, job.id());
  }

  /** False for what the engine refuses in any case: by its state, or by the items. */
  private static boolean approvable(JobView job, List<UUID> all, @Nullable Set<UUID> named) {
    return job.state().equals(State.WAITING_REVIEW.label())
        && (named == null || (!named.isEmpty() && all.containsAll(named)));
  }

  /**
   * What follows up gets the items that are approved and no others, so then they are named to the
   * engine too: it refuses if they are not the job's outputs any more.
   */
  private Report.Approve approval(
      JobView job, Principal principal, List<UUID> all, @Nullable Set<UUID> named) {
    List<UUID> approved = named == null ? all : all.stream().filter(named::contains).toList();
    return switch (again.followUp(job, approved, all.size() - approved.size())) {
      case Again.Next.Nothing() ->
          new Report.Approve(ShownJobs.id(job), principal.actor(), named, null);
      case Again.Next.FollowUp(var next) ->
          new Report.Approve(ShownJobs.id(job), principal.actor(), Set.copyOf(approved), next);
      case Again.Next.Impossible(String why) ->
          throw new ProblemException(
              409,
              "follow_up_impossible",
              "Nothing was approved, because what follows can't start: "
                  + why
                  + ". To approve without it, send \"follow_up\": false.");
    };
  }

  private Response decline(Request request, Principal principal) throws InterruptedException {
    JobView job = shown.find(request, principal);
    Body body = Body.of(request, "reason");
    String reason = body.reason("reason");
    body.requireGood();
    return decided(
        request,
        principal,
        new Report.Decline(ShownJobs.id(job), principal.actor(), reason),
        "declined");
  }

  private Response reject(Request request, Principal principal) throws InterruptedException {
    JobView job = shown.find(request, principal);
    Body body = Body.of(request, "category", "reason");
    String category = body.word("category");
    String reason = body.reason("reason");
    body.requireGood();
    return decided(
        request,
        principal,
        new Report.RejectByPolicy(
            ShownJobs.id(job), principal.actor(), new Failure(category, reason)),
        "rejected");
  }

  private Response overturn(Request request, Principal principal) throws InterruptedException {
    JobView job = shown.find(request, principal);
    Body body = Body.of(request, "reason");
    String reason = body.reason("reason");
    body.requireGood();
    return decided(
        request,
        principal,
        new Report.Overturn(ShownJobs.id(job), principal.actor(), reason),
        "overturned");
  }

  private Response decided(
      Request request, Principal principal, Report.ByPerson decision, String participle)
      throws InterruptedException {
    Refusals.requireDone(engine.report(decision), participle);
    return shown.answer(200, request, principal, decision.job().uuid());
  }
}
