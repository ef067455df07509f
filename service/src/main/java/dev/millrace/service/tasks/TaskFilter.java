package dev.millrace.service.tasks;

import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.jobs.TaskJobs;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Which jobs of a tenant a task is for. What is null does not matter.
 *
 * @param states null for all in which the action makes sense
 */
public record TaskFilter(
    @Nullable List<State> states,
    @Nullable String effect,
    @Nullable String user,
    @Nullable UUID batch,
    @Nullable String errorCode,
    @Nullable Instant createdAfter,
    @Nullable Instant createdBefore) {

  private static final JsonMapper JSON = JsonMapper.shared();

  public TaskFilter {
    states = states == null ? null : List.copyOf(states);
  }

  public static TaskFilter ofBatch(UUID batch) {
    return new TaskFilter(null, null, null, batch, null, null, null);
  }

  /** As it is stored and shown: only what matters. */
  public ObjectNode toJson() {
    ObjectNode json = JSON.createObjectNode();
    if (states != null) {
      ArrayNode labels = json.putArray("state");
      states.forEach(state -> labels.add(state.label()));
    }
    put(json, "effect", effect);
    put(json, "user", user);
    put(json, "batch", batch);
    put(json, "error_code", errorCode);
    put(json, "created_after", createdAfter);
    put(json, "created_before", createdBefore);
    return json;
  }

  private static void put(ObjectNode json, String name, @Nullable Object value) {
    if (value != null) {
      json.put(name, value.toString());
    }
  }

  /** Reads what {@link #toJson} wrote. */
  static TaskFilter read(String text) {
    JsonNode json = JSON.readTree(text);
    @Nullable String batch = text(json, "batch");
    return new TaskFilter(
        json.has("state")
            ? json.path("state").values().stream()
                .map(JsonNode::stringValue)
                .map(State::ofLabel)
                .toList()
            : null,
        text(json, "effect"),
        text(json, "user"),
        batch == null ? null : UUID.fromString(batch),
        text(json, "error_code"),
        time(json, "created_after"),
        time(json, "created_before"));
  }

  private static @Nullable String text(JsonNode json, String name) {
    JsonNode value = json.get(name);
    return value == null ? null : value.stringValue();
  }

  private static @Nullable Instant time(JsonNode json, String name) {
    @Nullable String text = text(json, name);
    return text == null ? null : Instant.parse(text);
  }

  TaskJobs.Filter of(TaskAction action) {
    return new TaskJobs.Filter(
        states == null ? action.states() : states,
        effect,
        user,
        batch,
        errorCode,
        createdAfter,
        createdBefore);
  }
}
