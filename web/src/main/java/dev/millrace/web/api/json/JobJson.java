package dev.millrace.web.api.json;

import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.money.Price;
import dev.millrace.postgres.history.EventView;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.service.jobs.JobNotes;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Jobs and events as the API shows them. */
public final class JobJson {

  private static final JsonMapper JSON = JsonMapper.shared();

  private JobJson() {}

  /** A job with its outputs; the input only if it was read. */
  public static ObjectNode job(JobView job, List<ObjectNode> outputs) {
    ObjectNode json = JSON.createObjectNode();
    json.put("id", job.id().toString());
    json.put("effect", job.request().effect());
    json.put("workflow", job.request().workflow());
    json.put("user", job.request().userId());
    json.put("workspace", job.links().workspace());
    json.put("state", job.state().label());
    json.put("progress", job.report().progress());
    json.put("step", job.report().step());
    json.put("message", job.report().message());
    json.put("priority", job.request().priority());
    json.put("attempt", job.tries().attempts());
    json.put("failures", job.tries().failures());
    json.put("interruptions", job.tries().interruptions());
    json.putObject("credits")
        .put("held", job.credits().held())
        .put("captured", job.credits().captured())
        .put("refunded", job.credits().refunded());
    json.set("price", price(job));
    json.put("delivered", delivered(job));
    if (job.tries().errorCode() == null) {
      json.putNull("error");
    } else {
      json.putObject("error")
          .put("code", job.tries().errorCode())
          .put("message", job.tries().errorMessage());
    }
    json.set("summary", object(job.report().summary()));
    if (job.request().input() != null) {
      json.set("input", object(job.request().input()));
    }
    json.putArray("outputs").addAll(outputs);
    times(json, job);
    json.put("overturned_at", text(job.times().overturnedAt()));
    json.put("retry_of", text(job.links().retryOf()));
    json.put("follows", text(job.links().follows()));
    json.put("follow_up_id", text(job.links().followUpId()));
    json.put("batch_id", text(job.links().batchId()));
    notes(json, JobNotes.of(job));
    json.put("last_event_id", job.report().events());
    return json;
  }

  /** What waits for a reviewer is not delivered. */
  public static long delivered(JobView job) {
    return job.state() == State.WAITING_REVIEW ? 0 : job.credits().delivered();
  }

  /** What one unit costs; the unit may be the whole job. */
  public static ObjectNode price(JobView job) {
    return JSON.createObjectNode()
        .put("per", job.credits().priceUnit())
        .put(
            "credits",
            job.credits().priceUnit().equals(Price.Unit.JOB.label())
                ? job.credits().held()
                : job.credits().priceRate());
  }

  private static void times(ObjectNode json, JobView job) {
    boolean delayed = job.times().dueAt().isAfter(job.times().createdAt());
    json.put("created_at", job.times().createdAt().toString());
    json.put("run_at", delayed ? job.times().dueAt().toString() : null);
    json.put("started_at", text(job.times().startedAt()));
    json.put("finished_at", text(job.times().finishedAt()));
    json.put("deadline_at", text(job.times().deadlineAt()));
  }

  private static void notes(ObjectNode json, JobNotes notes) {
    json.set("metadata", notes.metadata() == null ? JSON.createObjectNode() : notes.metadata());
    if (notes.related() == null) {
      json.putNull("related");
    } else {
      json.putObject("related").put("type", notes.related().type()).put("id", notes.related().id());
    }
    json.put("dialect", notes.dialect());
  }

  public static ObjectNode event(EventView event) {
    ObjectNode json = JSON.createObjectNode();
    json.put("id", event.seq());
    json.put("type", event.trigger() == null ? "progress" : "transition");
    json.put("state", event.state().label());
    json.put("from_state", event.fromState() == null ? null : event.fromState().label());
    json.put("progress", event.report().progress());
    json.put("step", event.report().step());
    json.put("message", event.report().message());
    json.set("summary", object(event.report().summary()));
    json.put("attempt", event.attempt());
    json.put("at", event.at().toString());
    return json;
  }

  public static @Nullable String text(@Nullable Object value) {
    return value == null ? null : value.toString();
  }

  public static JsonNode object(@Nullable String json) {
    return json == null ? JSON.createObjectNode() : JSON.readTree(json);
  }
}
