package dev.millrace.cli.command.job;

import dev.millrace.cli.api.ApiJson;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** What became of each request of a batch, told by its place in the file. */
final class BatchResults {

  /** A file with one mistake in every line would bury the first one. */
  private static final int MOST_LINES = 20;

  private final BatchFile file;
  private final List<JsonNode> trouble;

  BatchResults(BatchFile file, JsonNode results) {
    this.file = file;
    this.trouble =
        results
            .valueStream()
            .filter(result -> !ApiJson.text(result, "status").equals("accepted"))
            .toList();
  }

  boolean allAccepted() {
    return trouble.isEmpty();
  }

  /** True if nothing is wrong with the requests but that they are too many at once. */
  boolean onlyTooMany() {
    return trouble.stream()
        .filter(result -> !ApiJson.text(result, "status").equals("withheld"))
        .allMatch(
            result -> ApiJson.text(result.path("problem"), "code").equals("too_many_active_jobs"));
  }

  /** A line for each request that is to blame; those withheld for the others' sake are not. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (JsonNode result : trouble) {
      String status = ApiJson.text(result, "status");
      if (!status.equals("withheld")) {
        String place = file.place(ApiJson.number(result, "index"));
        reasons(result.path("problem"), status).forEach(why -> lines.add(place + ": " + why));
      }
    }
    if (lines.size() <= MOST_LINES) {
      return lines;
    }
    List<String> first = new ArrayList<>(lines.subList(0, MOST_LINES));
    first.add("and " + (lines.size() - MOST_LINES) + " more");
    return first;
  }

  private static List<String> reasons(JsonNode problem, String status) {
    List<String> reasons = new ArrayList<>();
    for (JsonNode error : problem.path("errors")) {
      // The pointer begins with the job's place, which the line says already.
      String path = ApiJson.text(error, "path").replaceFirst("^(/jobs/\\d+)?/?(input/)?", "");
      reasons.add((path.isEmpty() ? "" : path + ": ") + ApiJson.text(error, "message"));
    }
    if (reasons.isEmpty()) {
      String detail = ApiJson.text(problem, "detail");
      String code = ApiJson.text(problem, "code");
      reasons.add(!detail.isEmpty() ? detail : !code.isEmpty() ? code : status);
    }
    return reasons;
  }
}
