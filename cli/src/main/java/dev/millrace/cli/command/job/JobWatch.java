package dev.millrace.cli.command.job;

import dev.millrace.cli.api.ApiJob;
import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.api.EventFeed;
import dev.millrace.cli.api.ServerApi;
import dev.millrace.cli.command.shared.FeedLoop;
import dev.millrace.cli.command.shared.ProgressDisplay;
import dev.millrace.cli.shell.CommandFailure;
import dev.millrace.cli.shell.ExitCode;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Follows a job until nothing more will happen to it.
 *
 * <p>An event with a final state is not believed by itself: in the history of a job that was
 * retried in place it is followed by more. The job's own last event id decides.
 */
final class JobWatch {

  private final ServerApi api;
  private final ProgressDisplay progress;
  private final Consumer<JsonNode> onEvent;
  private final Optional<Duration> timeout;

  JobWatch(
      ServerApi api,
      ProgressDisplay progress,
      Consumer<JsonNode> onEvent,
      Optional<Duration> timeout) {
    this.api = api;
    this.progress = progress;
    this.onEvent = onEvent;
    this.timeout = timeout;
  }

  ApiJob follow(String id) throws InterruptedException {
    try (EventFeed feed = EventFeed.ofJob(api, id)) {
      return new FeedLoop(progress, timeout, () -> tooLate(id)).run(feed, new History(id));
    }
  }

  private static CommandFailure tooLate(String id) {
    return new CommandFailure(
        ExitCode.TIMEOUT,
        "The job is not done yet; it goes on without you.",
        "millrace jobs watch " + id);
  }

  private final class History implements FeedLoop.Listener<ApiJob> {

    private final String id;

    History(String id) {
      this.id = id;
    }

    @Override
    public @Nullable ApiJob event(long eventId, JsonNode json) throws InterruptedException {
      progress.event(json);
      onEvent.accept(json);
      return ApiJob.isSettled(ApiJson.text(json, "state")) ? ended(eventId) : null;
    }

    @Override
    public @Nullable ApiJob ended(long lastId) throws InterruptedException {
      ApiJob job = new ApiJob(api.getPatiently(ApiJob.path(id)));
      return job.isSettled() && job.lastEventId() <= lastId ? job : null;
    }
  }
}
