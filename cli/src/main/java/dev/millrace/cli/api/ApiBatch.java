package dev.millrace.cli.api;

import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** A batch as the server describes it. */
public record ApiBatch(JsonNode json) {

  public static String path(String id) {
    return "/api/batches/" + ServerApi.segment(id);
  }

  public String id() {
    return ApiJson.text(json, "id");
  }

  public long size() {
    return ApiJson.number(json, "size");
  }

  public long count(String state) {
    return ApiJson.number(json.path("counts"), state);
  }

  /** The states that some of its jobs are in, those of a future server last. */
  public List<String> states() {
    return Stream.concat(ApiJob.STATES.stream(), json.path("counts").propertyNames().stream())
        .distinct()
        .filter(state -> count(state) > 0)
        .toList();
  }

  /** How many jobs nobody needs to wait for any longer. */
  public long settled() {
    return states().stream().filter(ApiJob::isSettled).mapToLong(this::count).sum();
  }

  /** True if nothing more happens by itself: all are done, or wait for a reviewer. */
  public boolean isSettled() {
    return ApiJson.truth(json, "finished")
        || (!states().isEmpty() && states().stream().allMatch(ApiJob::isSettled));
  }
}
