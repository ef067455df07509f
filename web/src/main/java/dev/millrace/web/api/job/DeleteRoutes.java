package dev.millrace.web.api.job;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.Job;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Role;
import dev.millrace.service.jobs.Erasure;
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
  private final Engine engine;
  private final JobAnswers shown;
  private final Erasure erasure;

  public DeleteRoutes(
      Authentication authentication, Engine engine, JobAnswers shown, Erasure erasure) {
    this.authentication = authentication;
    this.engine = engine;
    this.shown = shown;
    this.erasure = erasure;
  }

  public List<Route> routes() {
    return List.of(Route.delete("/api/jobs/{id}", authentication.require(Role.USER, this::delete)));
  }

  /** From the commit on the job is gone for everybody; what can't be removed now is later. */
  private Response delete(Request request, Principal principal) throws InterruptedException {
    JobView job = shown.find(request, principal);
    Job deleted =
        Refusals.requireDone(
            engine.report(new Report.Delete(JobAnswers.id(job), principal.actor())), "deleted");
    Erasure.Tally tally = erasure.erase(job.tenantId(), principal.tenantSlug(), job.id());
    ObjectNode json = JsonMapper.shared().createObjectNode();
    json.put("id", job.id().toString());
    json.put("deleted_at", JobJson.text(deleted.afterEnd().deletedAt()));
    json.putObject("files")
        .put("removed", tally.removed())
        .put("bytes", tally.bytes())
        .put("failed", tally.failed());
    return Response.json(200, json);
  }
}
