package dev.millrace.web.api.job;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.Failure;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.files.FileView;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Role;
import dev.millrace.service.jobs.FollowOnJobs;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.request.Body;
import dev.millrace.web.api.request.Refusals;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import dev.millrace.web.http.RouteHandler;
import java.util.LinkedHashSet;
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
  private final FollowOnJobs again;
  private final JobAnswers shown;

  public ReviewRoutes(
      Authentication authentication, Engine engine, FollowOnJobs again, JobAnswers shown) {
    this.authentication = authentication;
    this.engine = engine;
    this.again = again;
    this.shown = shown;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/api/jobs/{id}/items", reviewer(this::items)),
        Route.post("/api/jobs/{id}/approve", reviewer(this::approve)),
        Route.post("/api/jobs/{id}/decline", reviewer(this::decline)),
        Route.post("/api/admin/jobs/{id}/reject", reviewer(this::reject)),
        Route.post("/api/admin/jobs/{id}/overturn", reviewer(this::overturn)));
  }

  private RouteHandler reviewer(Authentication.Authenticated handler) {
    return authentication.require(Role.REVIEWER, handler);
  }

  private Response items(Request request, Principal principal) {
    JobView job = shown.find(request, principal);
    ObjectNode json = JsonMapper.shared().createObjectNode();
    var items = json.putArray("items");
    for (FileView file : made(job)) {
      items.add(
          shown
              .fileJson()
              .file(file, request)
              .put("withheld", file.withheld())
              .put("decision", decision(job, file)));
    }
    return Response.json(200, json);
  }

  /** Null while nobody has decided about it. */
  private static @Nullable String decision(JobView job, FileView file) {
    if (job.state().equals(State.COMPLETED.label())) {
      return file.withheld() ? "declined" : "approved";
    }
    if (file.approved() == null) {
      return null;
    }
    return file.approved() ? "approved" : "declined";
  }

  private List<FileView> made(JobView job) {
    return shown.files().madeBy(job.tenantId(), job.id());
  }

  /** What has been said of a result's items so far. */
  private record Items(Set<UUID> all, Set<UUID> approved, Set<UUID> declined) {

    static Items of(List<FileView> made) {
      Set<UUID> all = new LinkedHashSet<>();
      Set<UUID> approved = new LinkedHashSet<>();
      Set<UUID> declined = new LinkedHashSet<>();
      for (FileView file : made) {
        all.add(file.id());
        if (file.approved() != null) {
          (file.approved() ? approved : declined).add(file.id());
        }
      }
      return new Items(all, approved, declined);
    }

    /** Those that nobody has decided about, without these. */
    Set<UUID> openBut(Set<UUID> named) {
      Set<UUID> open = new LinkedHashSet<>(all);
      open.removeAll(approved);
      open.removeAll(declined);
      open.removeAll(named);
      return open;
    }
  }

  private Response approve(Request request, Principal principal) throws InterruptedException {
    JobView job = shown.find(request, principal);
    Body body = Body.ofOptional(request, "items", "follow_up", "decline_rest");
    @Nullable Set<UUID> named = body.idsOrNull("items");
    boolean goesOn = body.flag("follow_up", true);
    boolean declineRest = body.flag("decline_rest", false);
    body.requireGood();
    Items items = Items.of(made(job));
    Set<UUID> chosen = named == null ? items.openBut(Set.of()) : named;
    boolean waits = !declineRest && !chosen.isEmpty() && !items.openBut(chosen).isEmpty();
    if (waits) {
      return decided(request, principal, review(job, principal, chosen, Set.of()), "reviewed");
    }
    Set<UUID> approved = new LinkedHashSet<>(chosen);
    if (named == null || !named.isEmpty()) {
      approved.addAll(items.approved);
    }
    return decided(
        request, principal, approval(job, principal, items.all, approved, goesOn), "approved");
  }

  private static Report.ReviewItems review(
      JobView job, Principal principal, Set<UUID> approved, Set<UUID> declined) {
    return new Report.ReviewItems(JobAnswers.id(job), principal.actor(), approved, declined);
  }

  /**
   * The end of a review. What is approved is named to the engine, which refuses if somebody has
   * decided otherwise meanwhile; so what follows up gets these items and no others.
   */
  private Report.Approve approval(
      JobView job, Principal principal, Set<UUID> all, Set<UUID> approved, boolean goesOn) {
    Report.Approve alone =
        new Report.Approve(JobAnswers.id(job), principal.actor(), approved, null);
    boolean refused =
        !job.state().equals(State.WAITING_REVIEW.label())
            || approved.isEmpty()
            || !all.containsAll(approved);
    if (refused || !goesOn) {
      return alone;
    }
    List<UUID> inOrder = all.stream().filter(approved::contains).toList();
    return switch (again.followUp(job, inOrder, all.size() - inOrder.size())) {
      case FollowOnJobs.Next.Nothing() -> alone;
      case FollowOnJobs.Next.FollowUp(var next) ->
          new Report.Approve(JobAnswers.id(job), principal.actor(), approved, next);
      case FollowOnJobs.Next.Impossible(String why) ->
          throw new ProblemException(
              409,
              "follow_up_impossible",
              "Nothing was approved, because what follows can't start: "
                  + why
                  + ". To approve without it, send \"follow_up\": false.");
    };
  }

  /** Declines all that is open, or some; what was approved before is delivered at the end. */
  private Response decline(Request request, Principal principal) throws InterruptedException {
    JobView job = shown.find(request, principal);
    Body body = Body.of(request, "reason", "items", "follow_up");
    String reason = body.reason("reason");
    @Nullable Set<UUID> named = body.idsOrNull("items");
    boolean goesOn = body.flag("follow_up", true);
    body.requireGood();
    Items items = Items.of(made(job));
    Set<UUID> chosen = named == null ? items.openBut(Set.of()) : named;
    boolean known = items.all.containsAll(chosen) && (named == null || !named.isEmpty());
    if (!known || !items.openBut(chosen).isEmpty()) {
      return decided(request, principal, review(job, principal, Set.of(), chosen), "reviewed");
    }
    return items.approved.isEmpty()
        ? decided(
            request,
            principal,
            new Report.Decline(JobAnswers.id(job), principal.actor(), reason),
            "declined")
        : decided(
            request,
            principal,
            approval(job, principal, items.all, items.approved, goesOn),
            "approved");
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
            JobAnswers.id(job), principal.actor(), new Failure(category, reason)),
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
        new Report.Overturn(JobAnswers.id(job), principal.actor(), reason),
        "overturned");
  }

  private Response decided(
      Request request, Principal principal, Report.ByPerson decision, String participle)
      throws InterruptedException {
    Refusals.requireDone(engine.report(decision), participle);
    return shown.answer(200, request, principal, decision.job().uuid());
  }
}
