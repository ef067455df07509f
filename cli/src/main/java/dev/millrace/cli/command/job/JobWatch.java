package dev.millrace.cli.command.job;

import dev.millrace.cli.api.Api;
import dev.millrace.cli.api.EventFeed;
import dev.millrace.cli.api.Job;
import dev.millrace.cli.api.Json;
import dev.millrace.cli.command.shared.FeedLoop;
import dev.millrace.cli.command.shared.Progress;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Failure;
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

  private final Api api;
  private final Progress progress;
  private final Consumer<JsonNode> onEvent;
  private final Optional<Duration> timeout;

  JobWatch(Api api, Progress progress, Consumer<JsonNode> onEvent, Optional<Duration> timeout) {
    this.api = api;
    this.progress = progress;
    this.onEvent = onEvent;
    this.timeout = timeout;
  }

  Job follow(String id) throws InterruptedException {
    try (EventFeed feed = EventFeed.ofJob(api, id)) {
      return new FeedLoop(progress, timeout, () -> tooLate(id)).run(feed, new History(id));
    }
  }

  private static Failure tooLate(String id) {
    return new Failure(
        ExitCode.TIMEOUT,
        "The job is not done yet; it goes on without you.",
        "millrace jobs watch " + id);
  }

  private final class History implements FeedLoop.Listener<Job> {

    private final String id;

    History(String id) {
      this.id = id;
    }

    @Override
    public @Nullable Job event(long eventId, JsonNode json) throws InterruptedException {
      progress.event(json);
      onEvent.accept(json);
      return Job.isSettled(Json.text(json, "state")) ? ended(eventId) : null;
    }

    @Override
    public @Nullable Job ended(long lastId) throws InterruptedException {
      Job job = new Job(api.getPatiently(Job.path(id)));
      return job.isSettled() && job.lastEventId() <= lastId ? job : null;
    }
  }
}
