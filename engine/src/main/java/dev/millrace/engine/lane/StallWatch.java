package dev.millrace.engine.lane;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Tells which lanes stand still: the same batch runs, or the same command heads the queue, for
 * longer than it should. It knows only what it saw, so look now and then.
 */
public final class StallWatch {

  /** A lane's number, and when it was seen first. */
  private record Seen(long number, long at) {}

  private final Supplier<List<Lane.Standing>> lanes;
  private final Duration bound;
  private final LongSupplier nanoTime;
  private final Map<String, Seen> seen = new HashMap<>();

  /**
   * Watches lanes.
   *
   * @param nanoTime a clock that never goes back
   */
  public StallWatch(Supplier<List<Lane.Standing>> lanes, Duration bound, LongSupplier nanoTime) {
    this.lanes = lanes;
    this.bound = bound;
    this.nanoTime = nanoTime;
  }

  /** The names of the lanes that have stood still for longer than the bound. */
  public synchronized List<String> stalled() {
    long now = nanoTime.getAsLong();
    List<String> stalled = new ArrayList<>();
    for (Lane.Standing lane : lanes.get()) {
      Seen before = seen.get(lane.lane());
      if (before == null || before.number != lane.number()) {
        seen.put(lane.lane(), new Seen(lane.number(), now));
      } else if (lane.number() >= 0 && now - before.at > bound.toNanos()) {
        stalled.add(lane.lane());
      }
    }
    return stalled;
  }
}
