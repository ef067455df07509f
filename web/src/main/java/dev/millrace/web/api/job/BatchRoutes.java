package dev.millrace.web.api.job;

import dev.millrace.engine.lifecycle.Lifecycle;
import dev.millrace.postgres.jobs.BatchView;
import dev.millrace.postgres.jobs.Batches;
import dev.millrace.postgres.tenants.Visibility;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.jobs.BatchRequest;
import dev.millrace.service.jobs.BatchSubmission;
import dev.millrace.service.jobs.BatchSubmission.ItemResult;
import dev.millrace.service.jobs.Fingerprint;
import dev.millrace.service.jobs.FollowOnJobs;
import dev.millrace.service.jobs.JobSubmission;
import dev.millrace.service.tasks.BulkTasks;
import dev.millrace.service.tasks.TaskAction;
import dev.millrace.service.tasks.TaskFilter;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.request.Body;
import dev.millrace.web.api.request.DatabaseProblems;
import dev.millrace.web.api.request.IdempotencyKey;
import dev.millrace.web.api.request.Params;
import dev.millrace.web.http.Problem;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Many jobs in one request: submit them, watch them, cancel them, do them again. */
public final class BatchRoutes {

  /** A thousand jobs need more room than any other request. */
  static final long MOST_BYTES = 16L << 20;

  private static final Duration SEND_TIME = Duration.ofSeconds(60);
  private static final JsonMapper JSON = JsonMapper.shared();

  private final Authentication authentication;
  private final BatchSubmission submission;
  private final BatchReader reader;
  private final FollowOnJobs again;
  private final Batches batches;
  private final BulkTasks tasks;
  private final BatchStream stream;

  public BatchRoutes(
      Authentication authentication,
      BatchSubmission submission,
      BatchReader reader,
      FollowOnJobs again,
      Batches batches,
      BulkTasks tasks,
      BatchStream stream) {
    this.authentication = authentication;
    this.submission = submission;
    this.reader = reader;
    this.again = again;
    this.batches = batches;
    this.tasks = tasks;
    this.stream = stream;
  }

  public List<Route> routes() {
    return List.of(
        Route.post("/api/batches", authentication.require(Scope.JOBS_WRITE, this::submit))
            .accepting(MOST_BYTES, SEND_TIME),
        Route.get("/api/batches", authentication.require(Scope.JOBS_READ, this::list)),
        Route.get("/api/batches/{id}", authentication.require(Scope.JOBS_READ, this::show)),
        Route.get(
            "/api/batches/{id}/stream",
            authentication.requireOrTicket(Scope.JOBS_READ, this::stream)),
        Route.post(
            "/api/batches/{id}/cancel", authentication.require(Scope.JOBS_WRITE, this::cancel)),
        Route.post(
            "/api/batches/{id}/retry", authentication.require(Scope.JOBS_WRITE, this::retry)));
  }

  private Response submit(Request request, Principal principal) throws InterruptedException {
    BatchReader.Reading reading = reader.read(request, principal);
    return submit(principal, reading);
  }

  private Response submit(Principal principal, BatchReader.Reading reading)
      throws InterruptedException {
    return switch (submission.submit(principal, reading.request())) {
      case BatchSubmission.Outcome.Decided(var id, boolean stored, var itemResults) when stored ->
          shown(201, principal, id, BatchJson.results(itemResults, reading.mistakes(), true))
              .header("Location", "/api/batches/" + id);
      case BatchSubmission.Outcome.Decided(_, _, var itemResults) ->
          throw refused(itemResults, reading);
      case BatchSubmission.Outcome.Replayed(var id, var itemResults) ->
          shown(200, principal, id, BatchJson.results(itemResults, reading.mistakes(), true))
              .header("Idempotency-Replayed", "true");
      case BatchSubmission.Outcome.UsedUp() -> throw SubmitAnswers.usedUp();
      case BatchSubmission.Outcome.KeyMismatch() ->
          throw new ProblemException(
              422,
              "idempotency_mismatch",
              "This idempotency key was used before, for another request. Use a new key.");
    };
  }

  /** Who can't be judged now may come again with the same; anybody else must change something. */
  private static ProblemException refused(
      List<ItemResult> itemResults, BatchReader.Reading reading) {
    ArrayNode results = BatchJson.results(itemResults, reading.mistakes(), false);
    Duration wait = Duration.ZERO;
    boolean mistaken = false;
    for (int i = 0; i < itemResults.size(); i++) {
      if (itemResults.get(i)
          instanceof ItemResult.Stopped(JobSubmission.Outcome.Undecided(var retryAfter))) {
        wait = wait.compareTo(retryAfter) > 0 ? wait : retryAfter;
      } else {
        mistaken |= !results.path(i).path("status").asString().equals("withheld");
      }
    }
    if (!mistaken) {
      return new ProblemException(
              503, "moderation_unavailable", "The inputs can't be judged now. Try again.")
          .header("Retry-After", Long.toString(Math.max(1, wait.toSeconds())));
    }
    return new ProblemException(
        Problem.of(
                422,
                "batch_refused",
                "Nothing of this batch was accepted, and nothing was charged. The results say why.")
            .with("results", results));
  }

  private Response shown(int status, Principal principal, UUID id, ArrayNode results) {
    BatchView batch =
        batches.find(Visibility.of(principal.tenant()), id).orElseThrow(ProblemException::notFound);
    ObjectNode json = json(batch);
    json.set("results", results);
    return Response.json(status, json);
  }

  private Response list(Request request, Principal principal) {
    int limit = Params.limit(request);
    List<BatchView> found =
        batches.list(Params.wanted(request, principal), Params.cursor(request), limit);
    Map<UUID, Batches.Counts> counts =
        batches.count(principal.tenant(), found.stream().map(BatchView::id).toList());
    ObjectNode page = JSON.createObjectNode();
    ArrayNode items = page.putArray("items");
    for (BatchView batch : found) {
      items.add(BatchJson.batch(batch, counts.getOrDefault(batch.id(), Batches.Counts.NONE)));
    }
    page.put("next_cursor", found.size() < limit ? null : found.getLast().id().toString());
    return Response.json(200, page);
  }

  private Response show(Request request, Principal principal) {
    return Response.json(200, json(find(request, principal)));
  }

  private Response stream(Request request, Principal principal) {
    BatchView batch = find(request, principal);
    boolean again = request.header("last-event-id").isPresent();
    if (again && BatchStream.ended(batches.count(batch.tenantId(), batch.id()))) {
      // Nothing will follow. To an event source, 204 means: do not come back.
      return Response.empty(204);
    }
    return DatabaseProblems.stream(sink -> stream.follow(batch, again, sink));
  }

  private Response cancel(Request request, Principal principal) {
    BatchView batch = find(request, principal);
    Body.ofOptional(request).requireGood();
    return task(principal, TaskAction.CANCEL, batch);
  }

  /** An admin lets the same jobs go on; anybody else asks, and pays, for new ones. */
  private Response retry(Request request, Principal principal) throws InterruptedException {
    BatchView batch = find(request, principal);
    Body body = Body.ofOptional(request, "idempotency_key");
    @Nullable String key =
        IdempotencyKey.of(request, body.textOrNull("idempotency_key"), body::wrongBeside);
    body.requireGood();
    if (principal.may(Scope.TASKS_WRITE)) {
      return task(principal, TaskAction.RETRY, batch);
    }
    List<BatchRequest.Item> items =
        batches.inVain(batch.tenantId(), batch.id(), Lifecycle.retryableAsANewJob()).stream()
            .map(job -> new BatchRequest.Item(again.request(job), true, job.id()))
            .toList();
    if (items.isEmpty()) {
      throw new ProblemException(
          409, "nothing_to_retry", "No job of this batch has ended badly, so far.");
    }
    String fingerprint =
        Fingerprint.of(JSON.createObjectNode().put("retry_of", batch.id().toString()));
    return submit(
        principal,
        new BatchReader.Reading(
            new BatchRequest(batch.userId(), key, batch.atomic(), fingerprint, items),
            items.stream().map(_ -> List.<Problem.Violation>of()).toList()));
  }

  private Response task(Principal principal, TaskAction action, BatchView batch) {
    return TaskRoutes.accepted(
        tasks.create(
            principal.tenant(), principal.actor(), action, TaskFilter.ofBatch(batch.id())));
  }

  private ObjectNode json(BatchView batch) {
    return BatchJson.batch(batch, batches.count(batch.tenantId(), batch.id()));
  }

  private BatchView find(Request request, Principal principal) {
    return batches
        .find(principal.visibility(), Params.id(request))
        .orElseThrow(ProblemException::notFound);
  }
}
