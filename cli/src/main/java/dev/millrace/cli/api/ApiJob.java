package dev.millrace.cli.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** A job as the server describes it. */
public record ApiJob(JsonNode json) {

  /** All states, in the order in which a job may pass them, so that lists always read alike. */
  public static final List<String> STATES =
      List.of(
          "pending",
          "queued",
          "running",
          "submitted",
          "waiting_review",
          "canceling",
          "completed",
          "failed",
          "dead_letter",
          "expired",
          "rejected",
          "blocked",
          "canceled");

  private static final Set<String> SETTLED =
      Set.of(
          "completed",
          "failed",
          "dead_letter",
          "rejected",
          "canceled",
          "expired",
          "blocked",
          // Not an end, but nothing more happens until a person decides, perhaps tomorrow.
          "waiting_review");

  /** True if nobody should wait any longer for the next event. */
  public static boolean isSettled(String state) {
    return SETTLED.contains(state);
  }

  public static String path(String id) {
    return "/api/jobs/" + ServerApi.segment(id);
  }

  public String id() {
    return ApiJson.text(json, "id");
  }

  public String state() {
    return ApiJson.text(json, "state");
  }

  public String effect() {
    return ApiJson.text(json, "effect");
  }

  public long lastEventId() {
    return ApiJson.number(json, "last_event_id");
  }

  public boolean isSettled() {
    return isSettled(state());
  }

  public List<JsonNode> outputs() {
    List<JsonNode> outputs = new ArrayList<>();
    json.path("outputs").forEach(outputs::add);
    return outputs;
  }
}
