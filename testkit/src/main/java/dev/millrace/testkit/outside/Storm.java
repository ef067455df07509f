package dev.millrace.testkit.outside;

import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/**
 * A bad day of a service: one of ten answers to a submit is lost after the work was taken, one of
 * twenty webhooks comes before the answer, three of ten come twice, and one of twenty never.
 */
public final class Storm implements AutoCloseable {

  private static final int PERCENT = 100;
  private static final int LOST = 10;
  private static final int EARLY = 5;
  private static final int TWICE = EARLY + 30;
  private static final int NEVER = TWICE + 5;
  private static final int LONGEST_MILLIS = 400;

  private final Random random;
  private final JsonNode output;
  private final ScheduledExecutorService clock =
      Executors.newScheduledThreadPool(4, Thread.ofPlatform().daemon().factory());

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

  synchronized boolean losesReply() {
    return random.nextInt(PERCENT) < LOST;
  }

  synchronized Webhooks webhooks() {
    int roll = random.nextInt(PERCENT);
    if (roll < EARLY) {
      return Webhooks.EARLY;
    }
    if (roll < TWICE) {
      return Webhooks.TWICE;
    }
    return roll < NEVER ? Webhooks.NEVER : Webhooks.ONCE;
  }

  /** Does this soon, but not now. */
  synchronized void later(Runnable ending) {
    var _ = clock.schedule(ending, random.nextInt(LONGEST_MILLIS), TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
