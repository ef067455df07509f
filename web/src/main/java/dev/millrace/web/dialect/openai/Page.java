package dev.millrace.web.dialect.openai;

import dev.millrace.web.api.request.Params;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A page of a list, the newest first. */
record Page(@Nullable UUID after, int limit) {

  private static final int USUAL = 20;
  private static final int MOST = 100;

  static Page of(Request request, String prefix) {
    if (request.query("order").orElse("desc").equals("asc")) {
      throw ProblemException.invalid("/order", "must be desc: the newest come first");
    }
    UUID after =
        request
            .query("after")
            .map(text ->
                Ids.find(prefix, text)
                    .orElseThrow(
                        () -> ProblemException.invalid("/after", "must be the id of an item")))
            .orElse(null);
    return new Page(after, Math.min(Params.wholeNumber(request, "limit", USUAL, 1, 10_000), MOST));
  }

  /** As many as were asked for, of those that were looked for. */
  <T> List<T> cut(List<T> found) {
    return found.size() > limit ? found.subList(0, limit) : found;
  }

  /**
   * The page.
   *
   * @param found how many were looked for and found: one more than shown if there are others
   */
  ObjectNode json(List<ObjectNode> shown, int found) {
    ObjectNode json = JsonMapper.shared().createObjectNode();
    json.put("object", "list");
    json.putArray("data").addAll(shown);
    json.put("first_id", shown.isEmpty() ? null : shown.getFirst().path("id").asString());
    json.put("last_id", shown.isEmpty() ? null : shown.getLast().path("id").asString());
    json.put("has_more", found > limit);
    return json;
  }
}
