package dev.millrace.cli.command.job;

import dev.millrace.cli.api.ApiJob;
import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.command.shared.Moment;
import dev.millrace.cli.shell.CommandFailure;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.service.names.NearestName;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Which jobs a task is about: those that all of what was typed is true for. */
final class TaskFilter {

  @Option(
      names = "--state",
      paramLabel = "STATES",
      split = ",",
      description = "In one of these states, separated by commas.")
  private List<String> states = new ArrayList<>();

  @Option(names = "--effect", paramLabel = "EFFECT", description = "Of this effect.")
  private @Nullable String effect;

  @Option(names = "--user", paramLabel = "USER", description = "Of this user.")
  private @Nullable String user;

  @Option(names = "--batch", paramLabel = "ID", description = "Of this batch.")
  private @Nullable String batch;

  @Option(names = "--error-code", paramLabel = "CODE", description = "Ended by this error.")
  private @Nullable String errorCode;

  @Option(
      names = "--created-before",
      paramLabel = "TIME",
      description = "Older: 2026-03-01, 2026-03-01T12:00:00Z, or an age such as 7d or 90m.")
  private @Nullable String before;

  @Option(names = "--created-after", paramLabel = "TIME", description = "Newer, written alike.")
  private @Nullable String after;

  /** The API's filter; refuses one that would mean every job there is. */
  ObjectNode json(Clock clock) {
    ObjectNode filter = ApiJson.object();
    if (!states.isEmpty()) {
      ArrayNode array = filter.putArray("state");
      states.forEach(state -> array.add(known(state)));
    }
    put(filter, "effect", effect);
    put(filter, "user", user);
    put(filter, "batch", batch);
    put(filter, "error_code", errorCode);
    put(filter, "created_before", before == null ? null : Moment.read(before, clock.instant()));
    put(filter, "created_after", after == null ? null : Moment.read(after, clock.instant()));
    if (filter.isEmpty()) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "Say which jobs: without a filter it would be all of them.",
          "--state, --effect, --user, --batch, --error-code, --created-before, --created-after");
    }
    return filter;
  }

  private static void put(ObjectNode filter, String field, @Nullable String value) {
    if (value != null) {
      filter.put(field, value);
    }
  }

  private static String known(String state) {
    if (ApiJob.STATES.contains(state)) {
      return state;
    }
    throw new CommandFailure(
        ExitCode.USAGE,
        "There is no state '" + state + "'.",
        NearestName.of(state, ApiJob.STATES).orElse("one of " + String.join(", ", ApiJob.STATES)));
  }
}
