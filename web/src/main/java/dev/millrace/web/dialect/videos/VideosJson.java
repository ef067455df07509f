package dev.millrace.web.dialect.videos;

import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.files.FileView;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.service.jobs.JobNotes;
import dev.millrace.service.jobs.OfferedEffects;
import dev.millrace.service.observe.Paces;
import dev.millrace.web.api.json.FileJson;
import dev.millrace.web.api.json.JobJson;
import dev.millrace.web.http.Request;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Videos and jobs in the words of this dialect. */
record VideosJson(OfferedEffects effects, FileJson files) {

  /** What a job is related to here. */
  static final String VIDEO = "video";

  /**
   * A video.
   *
   * @param job the newest one that processes it; null if none does
   */
  ObjectNode video(FileView file, @Nullable JobView job, List<FileView> outputs, Request request) {
    FileView processed = outputs.isEmpty() ? null : outputs.getFirst();
    ObjectNode json = JsonMapper.shared().createObjectNode();
    json.put("id", file.id().toString());
    json.put("title", file.name());
    json.put("status", job == null ? "queued" : status(job.state()));
    json.put("effect_id", job == null ? null : job.request().effect());
    json.put("original_file_id", file.id().toString());
    json.put("original_file_url", files.address(file, request));
    json.put("processed_file_id", processed == null ? null : processed.id().toString());
    json.put("processed_file_url", processed == null ? null : files.address(processed, request));
    String error = job == null ? null : error(job);
    json.put("error", error);
    if (error != null) {
      json.putObject("processing_details").put("error", error);
    } else if (processed != null) {
      json.putObject("processing_details")
          .put("size", processed.content().size())
          .put("mime_type", processed.content().mediaType());
    } else {
      json.putNull("processing_details");
    }
    json.put("progress", job == null ? 0 : job.report().progress());
    json.put("ai_job_id", job == null ? null : job.id().toString());
    json.set("effect", job == null ? json.nullNode() : effect(job.request().effect()));
    json.put("created_at", file.createdAt().toString());
    return json;
  }

  private ObjectNode effect(String slug) {
    ObjectNode json = JsonMapper.shared().createObjectNode().put("id", slug).put("slug", slug);
    OfferedEffects.Offered offered = effects.find(slug).orElse(null);
    Paces.@Nullable Pace pace = offered == null ? null : offered.pace();
    return json.put("name", offered == null ? slug : offered.offer().effect().title())
        .put("last_processing_time_seconds", pace == null ? null : (Double) pace.last());
  }

  static ObjectNode aiJob(JobView job, List<FileView> outputs) {
    JobNotes.Related related = JobNotes.of(job).related();
    @Nullable String video = related != null && related.type().equals(VIDEO) ? related.id() : null;
    ObjectNode json = JsonMapper.shared().createObjectNode();
    json.put("id", job.id().toString());
    json.put("dispatch_id", job.id().toString());
    json.put("status", status(job.state()));
    json.put("dispatch_status", dispatchStatus(job.state()));
    json.put("effect_id", job.request().effect());
    json.put("video_id", video);
    json.put("input_file_id", video);
    json.put("output_file_id", outputs.isEmpty() ? null : outputs.getFirst().id().toString());
    json.put("requested_tokens", job.credits().held());
    json.put("reserved_tokens", job.credits().holdOpen() ? job.credits().held() : 0);
    json.put("consumed_tokens", job.credits().captured());
    json.put("refunded_tokens", job.credits().refunded());
    json.put("attempts", job.tries().attempts());
    json.put("error_message", error(job));
    json.put("created_at", job.times().createdAt().toString());
    json.put("started_at", JobJson.text(job.times().startedAt()));
    json.put("completed_at", JobJson.text(job.times().finishedAt()));
    return json;
  }

  private static @Nullable String error(JobView job) {
    boolean bad = List.of("failed", "expired").contains(status(job.state()));
    String message = job.tries().errorMessage();
    return !bad ? null : message == null ? "Processing failed." : message;
  }

  static String status(State state) {
    return switch (state) {
      case PENDING, QUEUED -> "queued";
      case RUNNING, SUBMITTED, WAITING_REVIEW, CANCELING -> "processing";
      case COMPLETED -> "completed";
      case FAILED, DEAD_LETTER, REJECTED, CANCELED, BLOCKED -> "failed";
      case EXPIRED -> "expired";
    };
  }

  static String dispatchStatus(State state) {
    return switch (state) {
      case PENDING, QUEUED -> "queued";
      case RUNNING, SUBMITTED, WAITING_REVIEW, CANCELING -> "leased";
      case COMPLETED -> "completed";
      case FAILED, DEAD_LETTER, REJECTED, CANCELED, BLOCKED, EXPIRED -> "failed";
    };
  }
}
