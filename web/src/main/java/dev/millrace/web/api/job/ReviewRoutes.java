package dev.millrace.web.api.job;

import dev.millrace.postgres.jobs.JobView;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.jobs.JobActions;
import dev.millrace.service.review.Reviews;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.request.Body;
import dev.millrace.web.api.request.Refusals;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import dev.millrace.web.http.RouteHandler;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What reviewers look at and decide. Each decision leaves a line in the audit. */
public final class ReviewRoutes {

  private final Authentication authentication;
  private final Reviews reviews;
  private final JobActions actions;
  private final JobAnswers shown;

  public ReviewRoutes(
      Authentication authentication, Reviews reviews, JobActions actions, JobAnswers shown) {
    this.authentication = authentication;
    this.reviews = reviews;
    this.actions = actions;
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
    return authentication.require(Scope.REVIEWS_WRITE, handler);
  }

  private Response items(Request request, Principal principal) {
    JobView job = shown.find(request, principal);
    ObjectNode json = JsonMapper.shared().createObjectNode();
    var items = json.putArray("items");
    for (Reviews.Item item : reviews.items(job)) {
      items.add(
          shown
              .fileJson()
              .file(item.file(), request)
              .put("withheld", item.file().review().withheld())
              .put("decision", decision(item.verdict())));
    }
    return Response.json(200, json);
  }

  /** Null while nobody has decided about it. */
  private static @Nullable String decision(Reviews.Verdict verdict) {
    return switch (verdict) {
      case OPEN -> null;
      case APPROVED -> "approved";
      case DECLINED -> "declined";
    };
  }

  private Response approve(Request request, Principal principal) throws InterruptedException {
    JobView job = shown.find(request, principal);
    Body body = Body.ofOptional(request, "items", "follow_up", "decline_rest", "reason");
    Reviews.Approval wanted =
        new Reviews.Approval(
            body.idsOrNull("items"),
            body.flag("follow_up", true),
            body.flag("decline_rest", false),
            body.reasonOrNull("reason"));
    body.requireGood();
    Refusals.requireDecided(reviews.approve(principal, job, wanted));
    return shown.answer(200, request, principal, job.id());
  }

  private Response decline(Request request, Principal principal) throws InterruptedException {
    JobView job = shown.find(request, principal);
    Body body = Body.of(request, "reason", "items", "follow_up");
    Reviews.Refusal wanted =
        new Reviews.Refusal(
            body.reason("reason"), body.idsOrNull("items"), body.flag("follow_up", true));
    body.requireGood();
    Refusals.requireDecided(reviews.decline(principal, job, wanted));
    return shown.answer(200, request, principal, job.id());
  }

  private Response reject(Request request, Principal principal) throws InterruptedException {
    JobView job = shown.find(request, principal);
    Body body = Body.of(request, "category", "reason");
    String category = body.word("category");
    String reason = body.reason("reason");
    body.requireGood();
    Refusals.requireDone(actions.reject(principal, job, category, reason), "rejected");
    return shown.answer(200, request, principal, job.id());
  }

  private Response overturn(Request request, Principal principal) throws InterruptedException {
    JobView job = shown.find(request, principal);
    Body body = Body.of(request, "reason");
    String reason = body.reason("reason");
    body.requireGood();
    Refusals.requireDone(actions.overturn(principal, job, reason), "overturned");
    return shown.answer(200, request, principal, job.id());
  }
}
