package dev.millrace.engine.lane;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * All callers who are in the lanes of one engine. A batch takes at most half of them: those who are
 * answered together come back together, and if one batch had them all, they would go from lane to
 * lane in step, and only one lane at a time would have work.
 */
public final class BatchShare {

  /** So few need no share: a batch costs more by itself than they do. */
  private static final int FEW = 8;

  private final int maxBatch;
  private final AtomicInteger present = new AtomicInteger();

  /**
   * Nobody is there yet.
   *
   * @param maxBatch the most commands of one transaction, however many there are
   */
  public BatchShare(int maxBatch) {
    if (maxBatch < 1) {
      throw new IllegalArgumentException("a batch has room for one command at least");
    }
    this.maxBatch = maxBatch;
  }

  void come() {
    present.incrementAndGet();
  }

  void leave() {
    present.decrementAndGet();
  }

  /** The most commands that a batch may take now. */
  int share() {
    return Math.min(maxBatch, Math.max(FEW, present.get() / 2));
  }
}
