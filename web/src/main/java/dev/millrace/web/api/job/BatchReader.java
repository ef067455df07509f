package dev.millrace.web.api.job;

import dev.millrace.engine.command.SubmitMany;
import dev.millrace.service.access.Principal;
import dev.millrace.service.jobs.BatchRequest;
import dev.millrace.service.jobs.Fingerprint;
import dev.millrace.service.jobs.JobNotes;
import dev.millrace.service.jobs.JobRequest;
import dev.millrace.service.jobs.JobSubmission;
import dev.millrace.web.api.request.Body;
import dev.millrace.web.api.request.IdempotencyKey;
import dev.millrace.web.api.request.Params;
import dev.millrace.web.http.Problem.Violation;
import dev.millrace.web.http.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads the body of a batch. What is wrong with the batch itself is refused here; what is wrong
 * with its jobs is told job by job.
 */
public final class BatchReader {

  static final String ALL_OR_NOTHING = "all_or_nothing";
  static final String PARTIAL = "partial";

  private static final JsonMapper JSON = JsonMapper.shared();

  private final JobSubmission submission;

  public BatchReader(JobSubmission submission) {
    this.submission = submission;
  }

  /**
   * A batch as far as it could be read.
   *
   * @param mistakes for each item what is wrong with it; empty if its form is right
   */
  record Reading(BatchRequest request, List<List<Violation>> mistakes) {}

  Reading read(Request request, Principal principal) {
    Body body = Body.of(request, "mode", "user", "workspace", "jobs", "idempotency_key");
    String mode = Objects.requireNonNullElse(body.textOrNull("mode"), ALL_OR_NOTHING);
    if (!mode.equals(ALL_OR_NOTHING) && !mode.equals(PARTIAL)) {
      body.wrong("mode", "must be all_or_nothing or partial");
    }
    @Nullable String named = body.userOrNull("user");
    @Nullable String label = body.textOrNull("workspace");
    @Nullable String key =
        IdempotencyKey.of(request, body.textOrNull("idempotency_key"), body::wrongBeside);
    ArrayNode jobs = JSON.createArrayNode();
    if (body.raw("jobs") instanceof ArrayNode array
        && !array.isEmpty()
        && array.size() <= SubmitMany.MOST_JOBS) {
      jobs = array;
    } else {
      body.wrong("jobs", "must be a list of 1 to %d jobs".formatted(SubmitMany.MOST_JOBS));
    }
    body.requireGood();
    String user = Params.user(principal, named, "/user");
    @Nullable String workspace = Params.workspace(principal, label, "/workspace");
    ObjectNode whole = JSON.createObjectNode().put("mode", mode);
    whole.set("jobs", jobs);
    if (workspace != null) {
      whole.put("workspace", workspace);
    }
    String fingerprint = Fingerprint.of(whole);
    List<BatchRequest.Item> items = new ArrayList<>(jobs.size());
    List<List<Violation>> mistakes = new ArrayList<>(jobs.size());
    for (int i = 0; i < jobs.size(); i++) {
      JobRequestReader.Reading item = item(jobs.path(i), principal, user, workspace, at(i));
      items.add(new BatchRequest.Item(item.request(), item.violations().isEmpty(), null));
      mistakes.add(item.violations());
    }
    boolean atomic = mode.equals(ALL_OR_NOTHING);
    return new Reading(new BatchRequest(user, key, atomic, fingerprint, items), mistakes);
  }

  /** Where an item is in the body. */
  static String at(int index) {
    return "/jobs/" + index;
  }

  private JobRequestReader.Reading item(
      JsonNode node, Principal principal, String user, @Nullable String workspace, String at) {
    if (!(node instanceof ObjectNode object)) {
      return new JobRequestReader.Reading(
          new JobRequest(
              "", JSON.createObjectNode(), user, null, 0, null, workspace, JobNotes.NONE),
          List.of(new Violation(at, "must be an object")));
    }
    JobRequestReader.Reading reading =
        JobRequestReader.item(object, principal, user, workspace, at);
    List<Violation> all = new ArrayList<>(reading.violations());
    if (!all.isEmpty() && all.stream().noneMatch(one -> one.path().startsWith(at + "/input"))) {
      // Everything at once, the input's mistakes too, so that nobody has to come back for the next.
      submission
          .mistakes(reading.request())
          .forEach(error -> all.add(new Violation(at + error.path(), error.message())));
    }
    return new JobRequestReader.Reading(reading.request(), List.copyOf(all));
  }
}
