package dev.millrace.web.api.job;

import dev.millrace.postgres.jobs.JobView;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.jobs.Erasure;
import dev.millrace.service.jobs.JobActions;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.json.JobJson;
import dev.millrace.web.api.request.Refusals;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Deleting jobs that have ended, with their files and their input. */
public final class DeleteRoutes {

  private final Authentication authentication;
  private final JobActions actions;
  private final JobAnswers shown;

  public DeleteRoutes(Authentication authentication, JobActions actions, JobAnswers shown) {
    this.authentication = authentication;
    this.actions = actions;
    this.shown = shown;
  }

  public List<Route> routes() {
    return List.of(
        Route.delete("/api/jobs/{id}", authentication.require(Scope.JOBS_WRITE, this::delete)));
  }

  /** From the commit on the job is gone for everybody; what can't be removed now is later. */
  private Response delete(Request request, Principal principal) throws InterruptedException {
    JobView job = shown.find(request, principal);
    JobActions.Deletion.Deleted deleted = Refusals.requireDeleted(actions.delete(principal, job));
    Erasure.Tally tally = deleted.files();
    ObjectNode json = JsonMapper.shared().createObjectNode();
    json.put("id", job.id().toString());
    json.put("deleted_at", JobJson.text(deleted.job().afterEnd().deletedAt()));
    json.putObject("files")
        .put("removed", tally.removed())
        .put("bytes", tally.bytes())
        .put("failed", tally.failed());
    return Response.json(200, json);
  }
}
