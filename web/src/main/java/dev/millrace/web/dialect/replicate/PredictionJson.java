package dev.millrace.web.dialect.replicate;

import dev.millrace.engine.job.JobId;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.files.FileView;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.service.access.JobLinks;
import dev.millrace.service.jobs.JobNotes;
import dev.millrace.web.api.job.ResultAddress;
import dev.millrace.web.api.json.JobJson;
import dev.millrace.web.dialect.JobTexts;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A job in the words of this dialect. */
record PredictionJson(JobLinks links, JobTexts texts) {

  static final String STARTING = "starting";

  /**
   * A prediction.
   *
   * @param base how whoever asked knows this server
   */
  ObjectNode of(JobView job, List<FileView> outputs, URI base) {
    ObjectNode json = JsonMapper.shared().createObjectNode();
    json.put("id", job.id().toString());
    json.put("model", job.request().effect());
    json.put("version", Models.version(job.request().effect()));
    json.set("input", JobJson.object(job.request().input()));
    json.put("logs", logs(job));
    json.set("output", output(job, outputs, base));
    json.put("data_removed", false);
    json.put("error", error(job));
    json.put("source", "api");
    json.put("status", status(job.state()));
    json.put("created_at", job.times().createdAt().toString());
    put(json, "started_at", job.times().startedAt());
    put(json, "completed_at", job.times().finishedAt());
    put(json, "deadline", JobNotes.of(job).wishes().cancelAt());
    JobNotes.OwnEndpoint webhook = JobNotes.of(job).wishes().webhook();
    if (webhook != null) {
      json.put("webhook", webhook.url());
    }
    json.set("metrics", metrics(job));
    String own = "replicate/v1/predictions/" + job.id();
    json.putObject("urls")
        .put("get", url(base, own))
        .put("cancel", url(base, own + "/cancel"))
        .put("stream", url(base, "replicate/stream/" + code(job)))
        .put("web", url(base, "console/jobs/" + job.id()));
    return json;
  }

  private static void put(ObjectNode json, String name, @Nullable Instant time) {
    if (time != null) {
      json.put(name, time.toString());
    }
  }

  private static ObjectNode metrics(JobView job) {
    ObjectNode metrics = JsonMapper.shared().createObjectNode();
    Instant started = job.times().startedAt();
    Instant finished = job.times().finishedAt();
    if (finished != null) {
      metrics.put("total_time", seconds(job.times().createdAt(), finished));
      if (started != null) {
        metrics.put("predict_time", seconds(started, finished));
      }
    }
    return metrics;
  }

  private static double seconds(Instant from, Instant to) {
    return Math.max(0, Duration.between(from, to).toMillis()) / 1000.0;
  }

  private String code(JobView job) {
    return links.code(new JobId(job.request().tenantId(), job.id()));
  }

  static String url(URI base, String path) {
    String root = base.toString();
    return root + (root.endsWith("/") ? "" : "/") + path;
  }

  /** What a client looks for the progress in: the line of a progress bar. */
  private static String logs(JobView job) {
    int progress = job.report().progress();
    String message = job.report().message() == null ? "" : job.report().message() + "\n";
    return job.times().startedAt() == null
        ? ""
        : "%s%3d%%|%-10s| %d/100".formatted(message, progress, "#".repeat(progress / 10), progress);
  }

  private static @Nullable String error(JobView job) {
    return switch (status(job.state())) {
      case "failed" ->
          job.tries().errorMessage() == null
              ? "It ended as " + job.state().label() + "."
              : job.tries().errorMessage();
      default -> null;
    };
  }

  private JsonNode output(JobView job, List<FileView> outputs, URI base) {
    if (job.state() != State.COMPLETED || outputs.isEmpty()) {
      return JsonNodeFactory.instance.nullNode();
    }
    List<JsonNode> values = values(job, outputs, base);
    if (values.size() == 1) {
      return values.getFirst();
    }
    ArrayNode all = JsonMapper.shared().createArrayNode();
    values.forEach(all::add);
    return all;
  }

  /** Each output: a text as it is, JSON as a value, anything else as an address that stays. */
  List<JsonNode> values(JobView job, List<FileView> outputs, URI base) {
    List<JsonNode> values = new ArrayList<>();
    for (int i = 0; i < outputs.size(); i++) {
      FileView file = outputs.get(i);
      String address = ResultAddress.of(links, job, i, file, base);
      values.add(
          texts
              .of(file)
              .map(text -> value(file, text))
              .orElseGet(() -> JsonNodeFactory.instance.stringNode(address)));
    }
    return values;
  }

  private static JsonNode value(FileView file, String text) {
    if (file.content().mediaType().toLowerCase(Locale.ROOT).startsWith("application/json")) {
      try {
        return JsonMapper.shared().readTree(text);
      } catch (JacksonException _) {
        // Then it is only called so.
      }
    }
    return JsonNodeFactory.instance.stringNode(text);
  }

  /**
   * Five words for thirteen states. Whoever waits as these clients do knows only three ends, so
   * what missed a deadline has failed here.
   */
  static String status(State state) {
    return switch (state) {
      case PENDING, QUEUED -> STARTING;
      case RUNNING, SUBMITTED, WAITING_REVIEW, CANCELING -> "processing";
      case COMPLETED -> "succeeded";
      case FAILED, DEAD_LETTER, REJECTED, EXPIRED, BLOCKED -> "failed";
      case CANCELED -> "canceled";
    };
  }
}
