package dev.millrace.engine.lane;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells which lanes stand still: the same batch runs, or the same command heads the queue, for
 * longer than it should; or commands wait for what somebody else holds, and for a while not one of
 * all that came was done. It knows only what it saw, so look now and then.
 */
public final class StallWatch {

  /** One alone may want the only row that is held; of several, somebody could be served. */
  private static final int SEVERAL = 2;

  /**
   * A lane as it was seen.
   *
   * @param at when its number was seen first
   * @param done how many commands were done then, or since
   * @param doneAt when that was seen first, or nothing was put off
   * @param putOffAt when commands were seen last that are put off; null if long ago
   */
  private record Seen(long number, long at, long done, long doneAt, @Nullable Long putOffAt) {}

  private final Supplier<List<Lane.Standing>> lanes;
  private final Duration bound;
  private final Duration fruitless;
  private final LongSupplier nanoTime;
  private final Map<String, Seen> seen = new HashMap<>();

  /**
   * Watches lanes.
   *
   * @param bound how long a batch may run
   * @param fruitless how long nothing may be done while commands are put off
   * @param nanoTime a clock that never goes back
   */
  public StallWatch(
      Supplier<List<Lane.Standing>> lanes,
      Duration bound,
      Duration fruitless,
      LongSupplier nanoTime) {
    this.lanes = lanes;
    this.bound = bound;
    this.fruitless = fruitless;
    this.nanoTime = nanoTime;
  }

  /** The names of the lanes that have stood still for longer than the bounds. */
  public synchronized List<String> stalled() {
    long now = nanoTime.getAsLong();
    List<String> stalled = new ArrayList<>();
    for (Lane.Standing lane : lanes.get()) {
      Seen first = new Seen(lane.number(), now, lane.done(), now, null);
      Seen is = look(lane, seen.getOrDefault(lane.lane(), first), now);
      seen.put(lane.lane(), is);
      boolean still = lane.number() >= 0 && now - is.at > bound.toNanos();
      if (still || (is.putOffAt != null && now - is.doneAt > fruitless.toNanos())) {
        stalled.add(lane.lane());
      }
    }
    return stalled;
  }

  /** Those who are put off give up and come again; between the two there may be none. */
  private Seen look(Lane.Standing lane, Seen before, long now) {
    boolean same = before.number == lane.number();
    boolean waits = lane.putOff() >= SEVERAL;
    boolean fruitful = before.done != lane.done();
    boolean begins = fruitful || before.putOffAt == null;
    return new Seen(
        lane.number(),
        same ? before.at : now,
        lane.done(),
        begins ? now : before.doneAt,
        waits ? Long.valueOf(now) : fruitful ? null : recent(before.putOffAt, now));
  }

  private @Nullable Long recent(@Nullable Long putOffAt, long now) {
    return putOffAt == null || now - putOffAt > fruitless.toNanos() ? null : putOffAt;
  }
}
