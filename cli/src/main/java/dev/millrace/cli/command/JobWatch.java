package dev.millrace.cli.command;

import dev.millrace.cli.api.Api;
import dev.millrace.cli.api.EventFeed;
import dev.millrace.cli.api.EventFeed.Signal;
import dev.millrace.cli.api.Job;
import dev.millrace.cli.api.Json;
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

  private static final Duration TICK = Duration.ofMillis(200);

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
    long startNanos = System.nanoTime();
    try (EventFeed feed = new EventFeed(api, id, 0)) {
      while (true) {
        Duration left = timeout.map(t -> t.minusNanos(System.nanoTime() - startNanos)).orElse(TICK);
        if (!left.isPositive()) {
          throw new Failure(
              ExitCode.TIMEOUT,
              "The job is not done yet; it goes on without you.",
              "millrace jobs watch " + id);
        }
        Job done = handle(id, feed.next(left.compareTo(TICK) < 0 ? left : TICK));
        if (done != null) {
          return done;
        }
      }
    } finally {
      progress.close();
    }
  }

  /** Returns the job if this was the last one needs to hear. */
  private @Nullable Job handle(String id, @Nullable Signal signal) throws InterruptedException {
    return switch (signal) {
      case null -> {
        progress.tick();
        yield null;
      }
      case Signal.Event(long eventId, JsonNode json) -> {
        progress.event(json);
        onEvent.accept(json);
        yield Job.isSettled(Json.text(json, "state")) ? jobIfDone(id, eventId) : null;
      }
      case Signal.Ended(long lastId) -> jobIfDone(id, lastId);
      case Signal.Interrupted(String why) -> {
        progress.trouble(why);
        yield null;
      }
      case Signal.Failed(RuntimeException cause) -> throw cause;
    };
  }

  private @Nullable Job jobIfDone(String id, long heardUpTo) throws InterruptedException {
    Job job = new Job(api.getPatiently(Job.path(id)));
    return job.isSettled() && job.lastEventId() <= heardUpTo ? job : null;
  }
}
