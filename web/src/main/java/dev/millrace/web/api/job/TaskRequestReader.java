package dev.millrace.web.api.job;

import dev.millrace.engine.lifecycle.State;
import dev.millrace.service.tasks.TaskAction;
import dev.millrace.service.tasks.TaskFilter;
import dev.millrace.web.api.request.Body;
import dev.millrace.web.api.request.Params;
import dev.millrace.web.http.Request;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** Reads what is to be done to which jobs. */
final class TaskRequestReader {

  private TaskRequestReader() {}

  record Wanted(TaskAction action, TaskFilter filter, boolean dryRun) {}

  static Wanted read(Request request) {
    Body body = Body.of(request, "action", "filter", "dry_run");
    String label = body.text("action");
    Optional<TaskAction> action = TaskAction.ofLabel(label);
    if (action.isEmpty() && !label.isEmpty()) {
      body.wrong("action", "must be retry, cancel, delete or recheck");
    }
    boolean dryRun = flag(body, "dry_run");
    // A filter that was forgotten must not mean: everything. An empty one does.
    Body fields =
        body.inside(
            "filter",
            "state",
            "effect",
            "user",
            "batch",
            "error_code",
            "created_before",
            "created_after");
    body.refuseNulls();
    fields.refuseNulls();
    TaskFilter filter =
        new TaskFilter(
            states(fields, action.orElse(null)),
            fields.textOrNull("effect"),
            fields.userOrNull("user"),
            id(fields, "batch"),
            fields.textOrNull("error_code"),
            time(fields, "created_after"),
            time(fields, "created_before"));
    body.requireGood();
    return new Wanted(action.orElseThrow(), filter, dryRun);
  }

  private static boolean flag(Body body, String name) {
    @Nullable JsonNode value = body.raw(name);
    if (value != null && !value.isBoolean()) {
      body.wrong(name, "must be true or false");
    }
    return value != null && value.asBoolean(false);
  }

  private static @Nullable List<State> states(Body fields, @Nullable TaskAction action) {
    @Nullable JsonNode value = fields.raw("state");
    if (value == null) {
      return null;
    }
    if (!(value instanceof ArrayNode array) || array.isEmpty()) {
      fields.wrong("state", "must be a list of states");
      return null;
    }
    List<State> states = new ArrayList<>();
    for (int i = 0; i < array.size(); i++) {
      Optional<State> state =
          State.find(array.path(i).isString() ? array.path(i).stringValue() : "");
      if (state.isEmpty()) {
        fields.wrong("state/" + i, "names a state that does not exist");
      } else if (action != null && !action.states().contains(state.get())) {
        fields.wrong(
            "state/" + i,
            "no %s for a job that is %s; only for %s"
                .formatted(action.label(), state.get().label(), labels(action.states())));
      }
      state.ifPresent(states::add);
    }
    return states;
  }

  private static String labels(List<State> states) {
    return states.stream().map(State::label).collect(Collectors.joining(", "));
  }

  private static @Nullable UUID id(Body fields, String name) {
    @Nullable String text = fields.textOrNull(name);
    if (text == null) {
      return null;
    }
    Optional<UUID> id = Params.uuid(text);
    if (id.isEmpty()) {
      fields.wrong(name, "must be an id");
    }
    return id.orElse(null);
  }

  private static @Nullable Instant time(Body fields, String name) {
    @Nullable String text = fields.textOrNull(name);
    if (text == null) {
      return null;
    }
    Optional<Instant> time = Params.time(text);
    if (time.isEmpty()) {
      fields.wrong(name, Params.TIME_LAW);
    }
    return time.orElse(null);
  }
}
