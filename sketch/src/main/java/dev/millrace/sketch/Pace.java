package dev.millrace.sketch;

import dev.millrace.spi.provider.Work;
import java.time.Duration;

/**
 * Walks an attempt through its steps: reports how far it is, wastes the time it was asked to waste,
 * and notices a cancel.
 */
final class Pace {

  /** Short enough that a cancel is noticed well within a second. */
  private static final Duration SLICE = Duration.ofMillis(100);

  private static final int DONE = 100;

  private final Work work;
  private final DrawingPause pause;
  private final Duration delayPerStep;
  private final int steps;
  private int step;

  Pace(Work work, DrawingPause pause, Duration delay, int steps) {
    this.work = work;
    this.pause = pause;
    this.steps = steps;
    this.delayPerStep = delay.dividedBy(steps);
  }

  /** Begins the next step; false if the attempt was canceled before or while it waited. */
  boolean next(String name, String message) throws InterruptedException {
    if (work.canceled()) {
      return false;
    }
    work.progress(percent(0), name, message);
    Duration waited = Duration.ZERO;
    while (waited.compareTo(delayPerStep) < 0) {
      Duration left = delayPerStep.minus(waited);
      Duration slice = left.compareTo(SLICE) < 0 ? left : SLICE;
      pause.sleep(slice);
      waited = waited.plus(slice);
      if (work.canceled()) {
        return false;
      }
      work.progress(
          percent((double) waited.toMillis() / Math.max(1, delayPerStep.toMillis())),
          name,
          message);
    }
    step++;
    return true;
  }

  boolean halfWay() {
    return step * 2 >= steps;
  }

  void done(String message) {
    work.progress(DONE, "done", message);
  }

  /** The part of the way that is behind us, with the given part of the current step. */
  private int percent(double part) {
    return (int) Math.min(DONE - 1, DONE * (step + Math.min(1, part)) / steps);
  }
}
