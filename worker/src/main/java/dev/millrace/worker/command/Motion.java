package dev.millrace.worker.command;

import dev.millrace.worker.stall.StallBound;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Whether a program still does something: it says something, writes something, or uses the
 * processor. One that does none of it for long hangs, and would keep its job until its deadline.
 */
final class Motion {

  private final Optional<StallBound> bound;
  private long moved = System.nanoTime();
  private long heard;
  private long written;
  private long worked;

  /**
   * A watch.
   *
   * @param bound how long it may do nothing; empty for as long as it likes
   */
  Motion(Optional<StallBound> bound) {
    this.bound = bound;
  }

  /**
   * Looks, and says whether it has done nothing for too long.
   *
   * @param heardBytes how much it has said
   * @param writtenBytes how much it has written
   */
  boolean stopped(ProcessHandle process, long heardBytes, long writtenBytes) {
    long seconds = processorSeconds(process);
    if (heardBytes != heard || writtenBytes != written || seconds != worked) {
      moved = System.nanoTime();
    }
    heard = heardBytes;
    written = writtenBytes;
    worked = seconds;
    Duration idle = idle();
    return bound.filter(most -> most.isOver(idle)).isPresent();
  }

  /** How long it has done nothing. */
  Duration idle() {
    return Duration.ofNanos(System.nanoTime() - moved);
  }

  /** In whole seconds: a program that only waits uses a little now and then too. */
  private static long processorSeconds(ProcessHandle process) {
    return Stream.concat(Stream.of(process), process.descendants())
        .map(each -> each.info().totalCpuDuration().orElse(Duration.ZERO))
        .reduce(Duration.ZERO, Duration::plus)
        .toSeconds();
  }
}
