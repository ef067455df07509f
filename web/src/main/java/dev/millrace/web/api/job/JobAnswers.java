package dev.millrace.web.api.job;

import dev.millrace.engine.job.JobId;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.files.FileView;
import dev.millrace.postgres.files.Files;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.postgres.jobs.Jobs;
import dev.millrace.postgres.tenants.Visibility;
import dev.millrace.service.access.Principal;
import dev.millrace.web.api.json.EntityTag;
import dev.millrace.web.api.json.FileJson;
import dev.millrace.web.api.json.JobJson;
import dev.millrace.web.api.request.Params;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/** Finds jobs for whoever asks, and shows them with their outputs. */
public record JobAnswers(Jobs jobs, Files files, FileJson fileJson) {

  /** The job that the path names, if the principal may see it; a 404 otherwise. */
  public JobView find(Request request, Principal principal) {
    return jobs.find(principal.visibility(), Params.id(request))
        .orElseThrow(ProblemException::notFound);
  }

  static JobId id(JobView job) {
    return new JobId(job.request().tenantId(), job.id());
  }

  /** A job of the principal's tenant as it is now. */
  Response answer(int status, Request request, Principal principal, UUID id) {
    return answerIfThere(status, request, principal, id).orElseThrow(ProblemException::notFound);
  }

  /** Empty if the job was deleted. */
  Optional<Response> answerIfThere(int status, Request request, Principal principal, UUID id) {
    return now(principal, id).map(job -> Response.json(status, json(job, outputs(job), request)));
  }

  /** A job of the principal's tenant as it is now; empty if it was deleted. */
  public Optional<JobView> now(Principal principal, UUID id) {
    return jobs.find(Visibility.of(principal.tenant()), id);
  }

  /** What came of a job, for whoever may see the job. */
  public List<ObjectNode> outputs(JobView job, Request request) {
    return outputs(job).stream().map(file -> fileJson.file(file, request)).toList();
  }

  /**
   * Leads to one of its outputs, by a signed URL that is made now: so the address that is asked
   * stays, and whoever may see the job may see what it made.
   */
  public Response toOutput(JobView job, int index, Request request) {
    List<FileView> outputs = outputs(job);
    if (index >= outputs.size()) {
      throw new ProblemException(404, "no_output", "This job has no such output, or not yet.");
    }
    return Response.redirect(302, fileJson.address(outputs.get(index), request))
        .header("Cache-Control", "private, no-store");
  }

  public List<FileView> outputs(JobView job) {
    return job.times().finishedAt() == null && job.state() != State.WAITING_REVIEW
        ? List.of()
        : files.ofJobs(job.request().tenantId(), List.of(job.id()));
  }

  /** The outputs of a page of jobs of one tenant, by job. */
  public Map<UUID, List<FileView>> outputs(int tenant, List<JobView> page) {
    return files.ofJobs(tenant, page.stream().map(JobView::id).toList()).stream()
        .filter(file -> file.jobId() != null)
        .collect(Collectors.groupingBy(FileView::jobId));
  }

  ObjectNode json(JobView job, List<FileView> outputs, Request request) {
    return JobJson.job(job, outputs.stream().map(file -> fileJson.file(file, request)).toList());
  }

  /**
   * Names this version of a job. Most changes are events; what comes after its end is told by
   * itself, and URLs that end make a new version too.
   */
  EntityTag tag(JobView job, List<FileView> outputs) {
    return new EntityTag(
        job.report().events()
            + (job.times().overturnedAt() == null ? "" : "-overturned")
            + (job.links().followUpId() == null ? "" : "-followed")
            + (outputs.isEmpty() ? "" : fileJson.generation()));
  }
}
