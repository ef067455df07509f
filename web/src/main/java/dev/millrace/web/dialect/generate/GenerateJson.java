package dev.millrace.web.dialect.generate;

import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.service.jobs.JobNotes;
import dev.millrace.web.api.json.JobJson;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A job in the words of this dialect. */
final class GenerateJson {

  static final String PRODUCT = "product";
  static final String STYLE = "style";

  private GenerateJson() {}

  static ObjectNode job(JobView job, List<ObjectNode> outputs) {
    JobNotes notes = JobNotes.of(job);
    JobNotes.Related related = notes.related();
    ObjectNode json = JsonMapper.shared().createObjectNode();
    json.put("id", job.id().toString());
    json.put("type", GenerateType.labelOfEffect(job.request().effect()));
    json.put("status", status(job.state()));
    json.put("product_id", related != null && related.type().equals(PRODUCT) ? related.id() : null);
    json.put(STYLE, style(job, notes));
    json.put("credits_cost", job.credits().held());
    json.put("credits_refunded", job.credits().refunded());
    json.put("progress", job.report().progress());
    json.put("error_message", job.tries().errorMessage());
    json.putArray("outputs").addAll(outputs);
    json.put("created_at", job.times().createdAt().toString());
    json.put("started_at", JobJson.text(job.times().startedAt()));
    json.put("finished_at", JobJson.text(job.times().finishedAt()));
    return json;
  }

  private static @Nullable String style(JobView job, JobNotes notes) {
    String inInput = JobJson.object(job.request().input()).path(STYLE).asString("");
    String noted = notes.metadata() == null ? "" : notes.metadata().path(STYLE).asString("");
    String style = inInput.isEmpty() ? noted : inInput;
    return style.isEmpty() ? null : style;
  }

  /** What is under way has one name here, and so has every bad end. */
  static String status(State state) {
    return switch (state) {
      case PENDING -> "pending";
      case QUEUED -> "queued";
      case RUNNING, SUBMITTED, WAITING_REVIEW, CANCELING -> "processing";
      case COMPLETED -> "completed";
      case FAILED, DEAD_LETTER, REJECTED, BLOCKED -> "failed";
      case CANCELED -> "canceled";
      case EXPIRED -> "expired";
    };
  }
}
