package dev.millrace.worker.stall;

import dev.millrace.spi.executor.JobContext;
import java.time.Duration;

/**
 * The bound of one attempt: what the settings say, but never so much that the server cuts the
 * attempt off first. Then the job would be over for good, while one that goes back in time may
 * succeed elsewhere.
 */
public final class StallBound {

  /** What is left of the time when it counts as hanging, as a part: enough to withdraw and tell. */
  private static final int RESERVED_PART = 4;

  private final Duration setting;
  private final JobContext job;

  public StallBound(Duration setting, JobContext job) {
    this.setting = setting;
    this.job = job;
  }

  /**
   * How long nothing may move.
   *
   * @param idle how long nothing has moved until now
   */
  public Duration at(Duration idle) {
    Duration allowed =
        job.timeLeft()
            .map(left -> left.plus(idle))
            .map(left -> left.minus(left.dividedBy(RESERVED_PART)))
            .orElse(setting);
    return allowed.compareTo(setting) < 0 ? allowed : setting;
  }

  /** Whether nothing has moved for too long. */
  public boolean isOver(Duration idle) {
    return idle.compareTo(at(idle)) > 0;
  }
}
