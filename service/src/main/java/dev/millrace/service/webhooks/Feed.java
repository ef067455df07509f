package dev.millrace.service.webhooks;

import dev.millrace.postgres.history.EventLog;
import dev.millrace.postgres.history.EventLog.Entry;
import dev.millrace.postgres.history.EventLog.Page;
import dev.millrace.postgres.history.EventLog.Place;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** A tenant's events as they come, for whoever asks again and again. */
public final class Feed implements AutoCloseable {

  private static final int MOST = 200;

  /** However much happens, nobody needs to look more often. */
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final EventLog log;
  private final WakeUp events;
  private volatile boolean closed;

  Feed(EventLog log, WakeUp events) {
    this.log = log;
    this.events = events;
  }

  /** Where somebody begins who only wants to hear what is to come. */
  public Place now() {
    return log.now();
  }

  /** What was asked for and happened after this place; waits if there is nothing yet. */
  public Page after(int tenant, Place place, Collection<String> asked, Duration wait)
      throws InterruptedException {
    long end = System.nanoTime() + wait.toNanos();
    Place from = place;
    while (true) {
      long heard = events.rings();
      Page page = log.after(tenant, from, MOST);
      List<Entry> wanted =
          page.entries().stream()
              .filter(entry -> EventTypes.wants(asked, EventTypes.of(entry)))
              .toList();
      Duration left = Duration.ofNanos(end - System.nanoTime());
      if (!wanted.isEmpty() || !left.isPositive() || closed) {
        return new Page(wanted, page.next());
      }
      from = page.next();
      if (page.entries().size() < MOST) {
        WakeUp.rest(left.compareTo(PAUSE) < 0 ? left : PAUSE);
        // The slow look behind a wake-up that got lost, or that came before its time.
        Duration slow = Duration.ofSeconds(1);
        events.await(heard, left.compareTo(slow) < 0 ? left : slow);
      }
    }
  }

  /** Ends all waits, so that a server which stops needn't wait for them. */
  @Override
  public void close() {
    closed = true;
    events.ring();
  }
}
