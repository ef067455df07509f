package dev.millrace.web.api.job;

import dev.millrace.engine.job.JobId;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.history.EventView;
import dev.millrace.postgres.history.Events;
import dev.millrace.service.live.Hub;
import dev.millrace.service.live.Waiter;
import dev.millrace.web.api.request.Params;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.SseSink;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Sends a job's events as they happen, in whatever words. */
public final class JobStream {

  /** Often enough for the proxies and firewalls that cut quiet connections. */
  public static final Duration HEARTBEAT = Duration.ofSeconds(15);

  private final Events events;
  private final Hub hub;
  private final Duration heartbeat;

  public JobStream(Events events, Hub hub, Duration heartbeat) {
    this.events = events;
    this.hub = hub;
    this.heartbeat = heartbeat;
  }

  /**
   * How events are told.
   *
   * @param window after how long the stream ends, whatever happens; null for never
   */
  public record Wording(
      String eventName, Function<EventView, ObjectNode> json, @Nullable Duration window) {}

  /** The header is what a client sends that lost its connection, so it knows better. */
  public static int cursor(Request request) {
    Optional<String> last = request.header("last-event-id");
    if (last.isPresent() && last.get().matches("[0-9]{1,9}")) {
      return Integer.parseInt(last.get());
    }
    return Params.wholeNumber(request, "after_id", 0, 0, Integer.MAX_VALUE);
  }

  /** A stream ends where the job does, and where it waits for a person. */
  public static boolean isEnd(State state) {
    return state.terminal() || state == State.WAITING_REVIEW;
  }

  /** Sends what comes after that event, until the job or the window ends. */
  public void follow(JobId job, int after, Wording wording, SseSink sink)
      throws InterruptedException {
    Following following = new Following(job, after, wording, sink);
    long begun = System.nanoTime();
    try (Waiter news = hub.forJob(job.uuid())) {
      sink.onClose(news::wake);
      while (!sink.closing()) {
        boolean all = following.tellNews();
        Duration left = left(wording.window(), begun);
        if ((all && following.ended) || left.isNegative()) {
          return;
        }
        Duration pause = left.compareTo(heartbeat) < 0 ? left : heartbeat;
        // What was committed after this look wakes, also before the wait begins.
        if (all && !news.await(pause) && pause.equals(heartbeat)) {
          sink.comment("still here");
        }
      }
    }
  }

  private Duration left(@Nullable Duration window, long begun) {
    return window == null ? heartbeat : window.minusNanos(System.nanoTime() - begun);
  }

  /** How far a stream is. */
  private final class Following {
    private final JobId job;
    private final Wording wording;
    private final SseSink sink;
    private int cursor;
    private boolean ended;

    Following(JobId job, int after, Wording wording, SseSink sink) {
      this.job = job;
      this.wording = wording;
      this.cursor = after;
      this.sink = sink;
    }

    /** Sends what is new; false if there may be more. */
    boolean tellNews() {
      List<EventView> found = events.next(job, cursor);
      for (EventView event : found) {
        sink.event(
            Integer.toString(event.seq()),
            wording.eventName(),
            wording.json().apply(event).toString());
        cursor = event.seq();
        ended = isEnd(event.state());
      }
      return found.size() < Events.MOST_NEXT;
    }
  }
}
