package dev.millrace.server.api;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.records.FileView;
import dev.millrace.postgres.records.Files;
import dev.millrace.postgres.records.JobView;
import dev.millrace.postgres.records.Jobs;
import dev.millrace.server.auth.Authentication;
import dev.millrace.server.auth.Principal;
import dev.millrace.server.auth.Role;
import dev.millrace.server.catalogue.Resolution;
import dev.millrace.server.http.Problem;
import dev.millrace.server.http.ProblemException;
import dev.millrace.server.http.Request;
import dev.millrace.server.http.Response;
import dev.millrace.server.http.Route;
import dev.millrace.server.jobs.JobRequest;
import dev.millrace.server.jobs.Submission;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Submitting jobs, looking at them, canceling them. */
public final class JobRoutes {

  private final Authentication authentication;
  private final Submission submission;
  private final Engine engine;
  private final Jobs jobs;
  private final Files files;
  private final FileJson fileJson;
  private final InstantSource clock;

  JobRoutes(
      Authentication authentication,
      Submission submission,
      Engine engine,
      Jobs jobs,
      Files files,
      FileJson fileJson,
      InstantSource clock) {
    this.authentication = authentication;
    this.submission = submission;
    this.engine = engine;
    this.jobs = jobs;
    this.files = files;
    this.fileJson = fileJson;
    this.clock = clock;
  }

  List<Route> routes() {
    return List.of(
        Route.post("/api/jobs", authentication.require(Role.USER, this::submit)),
        Route.get("/api/jobs", authentication.require(Role.USER, this::list)),
        Route.get("/api/jobs/{id}", authentication.require(Role.USER, this::show)),
        Route.post("/api/jobs/{id}/cancel", authentication.require(Role.USER, this::cancel)));
  }

  private Response submit(Request request, Principal principal) throws InterruptedException {
    JobRequestReader.Reading reading = JobRequestReader.read(request, principal);
    JobRequest wanted = reading.request();
    if (!reading.violations().isEmpty()) {
      throw refused(reading);
    }
    return switch (submission.submit(principal.tenant(), wanted)) {
      case Submission.Outcome.UnknownEffect() ->
          throw ProblemException.invalid("/effect", "no effect on offer has this name");
      case Submission.Outcome.InvalidInput(var errors) ->
          throw new ProblemException(Problem.invalid(violations(errors)));
      case Submission.Outcome.Undecided(Duration retryAfter) ->
          throw new ProblemException(
                  503, "moderation_unavailable", "The input can't be judged now. Try again.")
              .header("Retry-After", Long.toString(Math.max(1, retryAfter.toSeconds())));
      case Submission.Outcome.Decided(SubmitJob.Result result) ->
          answer(request, principal, result);
    };
  }

  /** Everything at once, the input's mistakes too, so that nobody has to come back for the next. */
  private ProblemException refused(JobRequestReader.Reading reading) {
    List<Problem.Violation> all = new ArrayList<>(reading.violations());
    if (all.stream().noneMatch(violation -> violation.path().startsWith("/input"))) {
      all.addAll(violations(submission.mistakes(reading.request())));
    }
    return new ProblemException(Problem.invalid(all));
  }

  private static List<Problem.Violation> violations(List<Resolution.InputError> errors) {
    return errors.stream()
        .map(error -> new Problem.Violation(error.path(), error.message()))
        .toList();
  }

  private Response answer(Request request, Principal principal, SubmitJob.Result result) {
    return switch (result) {
      case SubmitJob.Result.Accepted(var job) ->
          shown(201, request, principal, job.id().uuid())
              .header("Location", "/api/jobs/" + job.id().uuid());
      case SubmitJob.Result.Replayed(var job) ->
          shown(200, request, principal, job.uuid()).header("Idempotency-Replayed", "true");
      case SubmitJob.Result.KeyMismatch(_) ->
          throw new ProblemException(
              422,
              "idempotency_mismatch",
              "This idempotency key was used before, for another request. Use a new key.");
      case SubmitJob.Result.Blocked(var job, var denial) ->
          throw new ProblemException(
              Problem.of(403, "blocked", denial.message())
                  .with("category", denial.category())
                  .with("job_id", job.id().uuid().toString()));
      case SubmitJob.Result.TooManyActive(int limit) ->
          throw new ProblemException(
                  Problem.of(
                          429,
                          "too_many_active_jobs",
                          "This user has %d live jobs, which is the limit. Wait for one to end."
                              .formatted(limit))
                      .with("limit", limit))
              .header("Retry-After", "5");
      case SubmitJob.Result.QuotaUsedUp(int limit, Instant resetsAt) ->
          throw new ProblemException(
                  Problem.of(
                          429,
                          "daily_quota_used_up",
                          "This user has had the %d jobs of today. The next day begins at %s."
                              .formatted(limit, resetsAt))
                      .with("limit", limit)
                      .with("resets_at", resetsAt.toString()))
              .header("Retry-After", Long.toString(secondsUntil(resetsAt)));
      case SubmitJob.Result.InsufficientCredits(long required, long balance) ->
          throw Refusals.insufficientCredits(required, balance);
      case SubmitJob.Result.Withheld() ->
          throw new IllegalStateException("a single job can't be withheld");
    };
  }

  private Response list(Request request, Principal principal) {
    int limit = Params.limit(request);
    @Nullable String user =
        request.query("user").isPresent() || principal.user() != null
            ? Params.user(request, principal)
            : null;
    List<JobView> found =
        jobs.list(
            new Jobs.Filter(
                principal.tenant(),
                user,
                request.query("effect").orElse(null),
                request.query("state").map(JobRoutes::states).orElse(null),
                Params.uuidOrNull(request, "batch"),
                Params.cursor(request),
                limit));
    Map<UUID, List<FileView>> outputs =
        files.ofJobs(principal.tenant(), found.stream().map(JobView::id).toList()).stream()
            .filter(file -> file.jobId() != null)
            .collect(Collectors.groupingBy(FileView::jobId));
    ObjectNode page = JsonMapper.shared().createObjectNode();
    var items = page.putArray("items");
    for (JobView job : found) {
      items.add(json(job, outputs.getOrDefault(job.id(), List.of()), request));
    }
    page.put("next_cursor", found.size() < limit ? null : found.getLast().id().toString());
    return Response.json(200, page);
  }

  private static List<String> states(String text) {
    List<String> states = Arrays.asList(text.split(",", -1));
    for (String state : states) {
      if (Arrays.stream(State.values()).noneMatch(known -> known.label().equals(state))) {
        throw ProblemException.invalid("state", "names a state that does not exist");
      }
    }
    return states;
  }

  private Response show(Request request, Principal principal) {
    JobView job = find(principal, Params.id(request));
    List<FileView> outputs = outputs(job);
    EntityTag tag = new EntityTag(job.events() + (outputs.isEmpty() ? "" : fileJson.generation()));
    if (tag.isIn(request.headers("if-none-match"))) {
      return Response.empty(304).header("ETag", tag.toString());
    }
    return Response.json(200, json(job, outputs, request)).header("ETag", tag.toString());
  }

  private Response cancel(Request request, Principal principal) throws InterruptedException {
    JobView job = find(principal, Params.id(request));
    JobId id = new JobId(job.tenantId(), job.id());
    Refusals.requireDone(engine.report(new Report.Cancel(id)), "canceled");
    return shown(200, request, principal, job.id());
  }

  private long secondsUntil(Instant time) {
    return Math.max(1, Duration.between(clock.instant(), time).toSeconds());
  }

  private Response shown(int status, Request request, Principal principal, UUID id) {
    JobView job = jobs.find(principal.tenant(), null, id).orElseThrow(ProblemException::notFound);
    return Response.json(status, json(job, outputs(job), request));
  }

  private JobView find(Principal principal, UUID id) {
    return jobs.find(principal.tenant(), principal.onlyUser(), id)
        .orElseThrow(ProblemException::notFound);
  }

  private List<FileView> outputs(JobView job) {
    return job.finishedAt() == null && !job.state().equals(State.WAITING_REVIEW.label())
        ? List.of()
        : files.ofJobs(job.tenantId(), List.of(job.id()));
  }

  private ObjectNode json(JobView job, List<FileView> outputs, Request request) {
    return JobJson.job(job, outputs.stream().map(file -> fileJson.file(file, request)).toList());
  }
}
