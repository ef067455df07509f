package dev.millrace.cli.command.shared;

import dev.millrace.cli.api.EventFeed;
import dev.millrace.cli.api.EventFeed.FeedItem;
import dev.millrace.cli.shell.CommandFailure;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Takes the signals of a feed until its listener has heard enough.
 *
 * @param tooLate what to tell when the time is over before that
 */
public record FeedLoop(
    ProgressDisplay progress, Optional<Duration> timeout, Supplier<CommandFailure> tooLate) {

  private static final Duration TICK = Duration.ofMillis(200);

  /** Hears what comes, and returns a result as soon as there is one. */
  public interface Listener<T> {

    @Nullable T event(long id, JsonNode json) throws InterruptedException;

    @Nullable T ended(long lastId) throws InterruptedException;
  }

  public <T> T run(EventFeed feed, Listener<T> listener) throws InterruptedException {
    long startNanos = System.nanoTime();
    try {
      while (true) {
        Duration left = timeout.map(t -> t.minusNanos(System.nanoTime() - startNanos)).orElse(TICK);
        if (!left.isPositive()) {
          throw tooLate.get();
        }
        T done = handle(feed.next(left.compareTo(TICK) < 0 ? left : TICK), listener);
        if (done != null) {
          return done;
        }
      }
    } finally {
      progress.close();
    }
  }

  private <T> @Nullable T handle(@Nullable FeedItem signal, Listener<T> listener)
      throws InterruptedException {
    return switch (signal) {
      case null -> {
        progress.tick();
        yield null;
      }
      case FeedItem.Event(long id, JsonNode json) -> listener.event(id, json);
      case FeedItem.Ended(long lastId) -> listener.ended(lastId);
      case FeedItem.Interrupted(String why) -> {
        progress.trouble(why);
        yield null;
      }
      case FeedItem.Failed(RuntimeException cause) -> throw cause;
    };
  }
}
