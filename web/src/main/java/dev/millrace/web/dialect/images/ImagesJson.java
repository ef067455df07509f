package dev.millrace.web.dialect.images;

import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.files.FileView;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.web.api.json.JobJson;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A job in the words of this dialect. */
final class ImagesJson {

  static final String PROMPT = "prompt";

  private ImagesJson() {}

  /**
   * A job.
   *
   * @param resultUrl the address of its first output, which stays; null while there is none
   */
  static ObjectNode job(JobView job, List<FileView> outputs, @Nullable String resultUrl) {
    ObjectNode json = JsonMapper.shared().createObjectNode();
    json.put("jobId", job.id().toString());
    json.put("status", status(job));
    json.put("effect", job.request().effect());
    json.put("userId", job.request().userId());
    if (job.request().input() != null
        && JobJson.object(job.request().input()) instanceof ObjectNode input) {
      JsonNode prompt = input.remove(PROMPT);
      json.set(PROMPT, prompt == null ? input.nullNode() : prompt);
      json.set("params", input);
    }
    json.put("progress", job.report().progress());
    json.put("retryCount", job.tries().failures());
    json.put("nextRetryAt", retrying(job) ? job.times().dueAt().toString() : null);
    json.put("resultUrl", outputs.isEmpty() ? null : resultUrl);
    json.put("assetId", outputs.isEmpty() ? null : outputs.getFirst().id().toString());
    if (job.tries().errorCode() == null) {
      json.putNull("error");
    } else {
      json.putObject("error")
          .put("code", job.tries().errorCode())
          .put("message", job.tries().errorMessage());
    }
    json.putObject("credits")
        .put("reserved", job.credits().held())
        .put("captured", job.credits().captured())
        .put("refunded", job.credits().refunded());
    json.put("createdAt", job.times().createdAt().toString());
    json.put("startedAt", JobJson.text(job.times().startedAt()));
    json.put("finishedAt", JobJson.text(job.times().finishedAt()));
    return json;
  }

  private static boolean retrying(JobView job) {
    return job.state() == State.PENDING && job.tries().failures() > 0;
  }

  /** Six words for thirteen states. What failed and is scheduled again has failed so far. */
  static String status(JobView job) {
    return status(job.state(), job.tries().failures());
  }

  static String status(State state, int failures) {
    return switch (state) {
      case PENDING -> failures > 0 ? "failed" : "queued";
      case QUEUED -> "queued";
      case RUNNING, SUBMITTED, WAITING_REVIEW, CANCELING -> "running";
      case COMPLETED -> "completed";
      case FAILED, CANCELED, EXPIRED -> "failed";
      case DEAD_LETTER -> "dead_letter";
      case REJECTED, BLOCKED -> "rejected";
    };
  }
}
