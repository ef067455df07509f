package dev.millrace.web.api.job;

import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.jobs.BatchView;
import dev.millrace.postgres.jobs.Batches;
import dev.millrace.service.live.Hub;
import dev.millrace.service.live.Waiter;
import dev.millrace.web.http.SseSink;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Tells how a batch gets on, whenever its counts change. */
public final class BatchStream {

  /** A batch of a thousand changes a thousand times, and nobody needs to be told each. */
  private static final Duration PAUSE = Duration.ofMillis(250);

  private static final String EVENT_NAME = "batch";

  private final Batches batches;
  private final Hub hub;
  private final Duration heartbeat;

  public BatchStream(Batches batches, Hub hub, Duration heartbeat) {
    this.batches = batches;
    this.hub = hub;
    this.heartbeat = heartbeat;
  }

  /** True once nothing happens by itself any more: each job has ended or waits for a person. */
  static boolean atRest(Batches.Counts counts) {
    return counts.states().keySet().stream().allMatch(BatchStream::isAtRest);
  }

  /** True once nothing can happen any more: no job waits, not even for a person. */
  static boolean ended(Batches.Counts counts) {
    return counts.states().keySet().stream().allMatch(State::terminal);
  }

  private static boolean isAtRest(State state) {
    return state.terminal() || state == State.WAITING_REVIEW;
  }

  /**
   * Tells the counts until the batch is at rest.
   *
   * @param again whether somebody comes back: he knows what waits for a person, and stays until it
   *     is decided
   */
  void follow(BatchView batch, boolean again, SseSink sink) throws InterruptedException {
    List<UUID> jobs =
        batches.members(batch.tenantId(), batch.id()).stream().map(Batches.Member::id).toList();
    Batches.@Nullable Counts told = null;
    try (Waiter news = hub.forJobs(jobs)) {
      sink.onClose(news::wake);
      while (!sink.closing()) {
        Batches.Counts now = batches.count(batch.tenantId(), batch.id());
        if (!now.equals(told)) {
          sink.event(id(now), EVENT_NAME, BatchJson.batch(batch, now).toString());
          told = now;
        }
        if (ended(now) || (atRest(now) && !again)) {
          return;
        }
        Thread.sleep(PAUSE);
        if (!news.await(heartbeat)) {
          sink.comment("still here");
        }
      }
    }
  }

  /** How many jobs are at rest. It tells who comes back that they were here before. */
  private static String id(Batches.Counts counts) {
    return Long.toString(
        counts.states().entrySet().stream()
            .filter(entry -> isAtRest(entry.getKey()))
            .mapToLong(entry -> entry.getValue())
            .sum());
  }
}
