package dev.millrace.web.dialect.processes;

import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.lifecycle.Trigger;
import dev.millrace.postgres.history.EventView;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.service.jobs.JobNotes;
import dev.millrace.web.api.json.JobJson;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Jobs and their events in the words of this dialect. */
final class ProcessesJson {

  private static final String PREFIX = "processes/";

  /** Ids are whole numbers here, as far as the product's own are. */
  private static final Pattern WHOLE = Pattern.compile("0|[1-9][0-9]{0,17}");

  /** What waits for a person is almost done. */
  private static final int LEAST_IN_REVIEW = 90;

  private ProcessesJson() {}

  /** A process; its input only if that was read. */
  static ObjectNode process(JobView job) {
    JobNotes.@Nullable Related related = JobNotes.of(job).related();
    ObjectNode json = JsonMapper.shared().createObjectNode();
    json.put("id", job.id().toString());
    json.set("workspace_id", id(job.links().workspace()));
    json.set("user_id", id(job.request().userId()));
    json.put("type", type(job.request().effect()));
    json.put("status", status(job.state()));
    json.put("progress_percent", progress(job.state(), job.report().progress()));
    json.put("current_step", job.report().step());
    json.set("summary", JobJson.object(job.report().summary()));
    json.put("error_message", failed(job.state()) ? job.tries().errorMessage() : null);
    json.put("queue", job.request().workflow());
    json.put("attempts", job.tries().attempts());
    json.put("related_type", related == null ? null : related.type());
    json.set("related_id", id(related == null ? null : related.id()));
    if (job.request().input() != null) {
      json.set("input_payload", JobJson.object(job.request().input()));
    }
    json.put("retry_of", JobJson.text(job.links().retryOf()));
    json.put("started_at", JobJson.text(job.times().startedAt()));
    json.put("finished_at", JobJson.text(job.times().finishedAt()));
    json.put("created_at", job.times().createdAt().toString());
    return json;
  }

  static ObjectNode event(UUID process, EventView event) {
    ObjectNode json = JsonMapper.shared().createObjectNode();
    json.put("id", event.seq());
    json.put("process_id", process.toString());
    json.put("type", type(event));
    json.put("status", status(event.state()));
    json.put("progress_percent", progress(event.state(), event.report().progress()));
    json.put("step", event.report().step());
    json.put("message", event.report().message());
    json.set("payload", JobJson.object(event.report().summary()));
    json.put("created_at", event.at().toString());
    return json;
  }

  private static String type(String effect) {
    return effect.startsWith(PREFIX) ? effect.substring(PREFIX.length()).replace('-', '_') : effect;
  }

  private static String type(EventView event) {
    if (event.trigger() == null) {
      return "message";
    }
    boolean submitted =
        Optional.of(event.trigger()).filter(Trigger.SUBMIT.label()::equals).isPresent();
    return submitted && event.state().live()
        ? "queued"
        : event.state().terminal() || event.state() == State.WAITING_REVIEW
            ? status(event.state())
            : "message";
  }

  private static int progress(State state, int told) {
    return switch (state) {
      case COMPLETED -> 100;
      case WAITING_REVIEW -> Math.max(LEAST_IN_REVIEW, told);
      default -> told;
    };
  }

  private static JsonNode id(@Nullable String text) {
    JsonNodeFactory json = JsonMapper.shared().getNodeFactory();
    if (text == null) {
      return json.nullNode();
    }
    return WHOLE.matcher(text).matches()
        ? json.numberNode(Long.parseLong(text))
        : json.stringNode(text);
  }

  static boolean failed(State state) {
    return status(state).equals("failed");
  }

  static String status(State state) {
    return switch (state) {
      case PENDING, QUEUED -> "queued";
      case RUNNING, SUBMITTED, CANCELING -> "running";
      case WAITING_REVIEW -> "waiting_review";
      case COMPLETED -> "completed";
      case FAILED, DEAD_LETTER, REJECTED, EXPIRED, BLOCKED -> "failed";
      case CANCELED -> "cancelled";
    };
  }
}
