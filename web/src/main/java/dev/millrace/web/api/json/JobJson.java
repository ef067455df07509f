package dev.millrace.web.api.json;

import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.money.Price;
import dev.millrace.postgres.history.EventView;
import dev.millrace.postgres.jobs.JobView;
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
    json.put("effect", job.effect());
    json.put("workflow", job.workflow());
    json.put("user", job.userId());
    json.put("state", job.state());
    json.put("progress", job.progress());
    json.put("step", job.step());
    json.put("message", job.message());
    json.put("priority", job.priority());
    json.put("attempt", job.attempts());
    json.put("failures", job.failures());
    json.put("interruptions", job.interruptions());
    json.putObject("credits")
        .put("held", job.held())
        .put("captured", job.captured())
        .put("refunded", job.refunded());
    json.set("price", price(job));
    json.put("delivered", delivered(job));
    if (job.errorCode() == null) {
      json.putNull("error");
    } else {
      json.putObject("error").put("code", job.errorCode()).put("message", job.errorMessage());
    }
    json.set("summary", object(job.summary()));
    if (job.input() != null) {
      json.set("input", object(job.input()));
    }
    json.putArray("outputs").addAll(outputs);
    times(json, job);
    json.put("overturned_at", text(job.overturnedAt()));
    json.put("retry_of", text(job.retryOf()));
    json.put("follows", text(job.follows()));
    json.put("follow_up_id", text(job.followUpId()));
    json.put("batch_id", text(job.batchId()));
    json.put("last_event_id", job.events());
    return json;
  }

  /** What waits for a reviewer is not delivered. */
  public static long delivered(JobView job) {
    return job.state().equals(State.WAITING_REVIEW.label()) ? 0 : job.delivered();
  }

  /** What one unit costs; the unit may be the whole job. */
  public static ObjectNode price(JobView job) {
    return JSON.createObjectNode()
        .put("per", job.priceUnit())
        .put(
            "credits",
            job.priceUnit().equals(Price.Unit.JOB.label()) ? job.held() : job.priceRate());
  }

  private static void times(ObjectNode json, JobView job) {
    boolean delayed = job.dueAt().isAfter(job.createdAt());
    json.put("created_at", job.createdAt().toString());
    json.put("run_at", delayed ? job.dueAt().toString() : null);
    json.put("started_at", text(job.startedAt()));
    json.put("finished_at", text(job.finishedAt()));
    json.put("deadline_at", text(job.deadlineAt()));
  }

  public static ObjectNode event(EventView event) {
    ObjectNode json = JSON.createObjectNode();
    json.put("id", event.seq());
    json.put("type", event.trigger() == null ? "progress" : "transition");
    json.put("state", event.state());
    json.put("from_state", event.fromState());
    json.put("progress", event.progress());
    json.put("step", event.step());
    json.put("message", event.message());
    json.set("summary", object(event.summary()));
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
