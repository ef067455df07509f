package dev.millrace.testkit.outside;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A bad day of a service: one of ten answers to a submit is lost after the work was taken, one of
 * twenty webhooks comes before the answer, three of ten come twice, and one of twenty never.
 *
 * <p>On a worse one ({@link #withServerErrors}, {@link #withLateLists}) submits are answered with
 * 5xx, half of them after the work was taken, and work is missing in the list for a while. On the
 * worst ({@link #withWorkThatShowsUp}) some is heard of only when nobody expects it any more.
 */
public final class Storm implements AutoCloseable {

  private static final int PERCENT = 100;
  private static final int LOST = 10;
  private static final int EARLY = 5;
  private static final int TWICE = EARLY + 30;
  private static final int NEVER = TWICE + 5;
  private static final int LONGEST_MILLIS = 400;

  private static final List<Integer> STATUSES = List.of(500, 502, 503, 504);

  private final Random random;
  private final JsonNode output;
  private final ScheduledExecutorService clock =
      Executors.newScheduledThreadPool(4, Thread.ofPlatform().daemon().factory());

  private int serverErrors;
  private Duration latestListing = Duration.ZERO;
  private int unexpected;
  private Duration shownAfter = Duration.ZERO;
  private Duration shownBefore = Duration.ZERO;

  /**
   * What becomes of a piece of work.
   *
   * @param endsAfter when it ends, and its webhooks go out
   */
  record Plan(Duration listedAfter, Duration endsAfter, Webhooks webhooks) {}

  /**
   * @param output of all work
   */
  public Storm(long seed, JsonNode output) {
    this.random = new Random(seed);
    this.output = output;
  }

  JsonNode output() {
    return output;
  }

  /** So many of a hundred submits get a 5xx; every second of those is taken and billed. */
  public synchronized Storm withServerErrors(int percent) {
    serverErrors = percent;
    return this;
  }

  /** Each piece of work is missing in the list for a time of up to this. */
  public synchronized Storm withLateLists(Duration most) {
    latestListing = most;
    return this;
  }

  /** So many of a hundred pieces of work are listed, and end, only after so long. */
  public synchronized Storm withWorkThatShowsUp(int percent, Duration after, Duration before) {
    unexpected = percent;
    shownAfter = after;
    shownBefore = before;
    return this;
  }

  /** What goes wrong with the next submit; null for nothing. */
  synchronized @Nullable Mishap mishap() {
    int roll = random.nextInt(PERCENT);
    if (roll < LOST) {
      return new Mishap.Usual(Trouble.CUT_AFTER);
    }
    if (roll < LOST + serverErrors) {
      int status = STATUSES.get(random.nextInt(STATUSES.size()));
      return new Mishap.Says(
          new Answered(status, Map.of(), "<html>" + status + "</html>"), random.nextBoolean());
    }
    return null;
  }

  synchronized Plan fate() {
    Webhooks webhooks = webhooks();
    return unexpected > 0 && random.nextInt(PERCENT) < unexpected
        ? new Plan(
            between(shownAfter, shownBefore),
            between(shownAfter, shownBefore),
            webhooks == Webhooks.EARLY ? Webhooks.ONCE : webhooks)
        : new Plan(
            between(Duration.ZERO, latestListing),
            Duration.ofMillis(random.nextInt(LONGEST_MILLIS)),
            webhooks);
  }

  private Duration between(Duration least, Duration most) {
    return Duration.ofMillis(random.nextLong(least.toMillis(), most.toMillis() + 1));
  }

  private Webhooks webhooks() {
    int roll = random.nextInt(PERCENT);
    if (roll < EARLY) {
      return Webhooks.EARLY;
    }
    if (roll < TWICE) {
      return Webhooks.TWICE;
    }
    return roll < NEVER ? Webhooks.NEVER : Webhooks.ONCE;
  }

  void after(Duration time, Runnable ending) {
    var _ = clock.schedule(ending, time.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
