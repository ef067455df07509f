package dev.millrace.service.duties;

import dev.millrace.engine.lane.Lane;
import dev.millrace.engine.lane.StallWatch;
import dev.millrace.postgres.connection.WriteCheck;
import dev.millrace.service.files.StoreWatch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether requests should be sent here: a write would succeed now, and no lane stands still. It
 * looks by itself now and then, so that the log tells what nobody asked about.
 */
public final class Readiness implements Duty {

  /** How often it looks by itself. */
  public static final Duration PAUSE = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(Readiness.class);
  private static final Duration WRITE_PATIENCE = Duration.ofSeconds(3);

  /** A batch takes milliseconds; this is longer than anything in it may wait. */
  private static final Duration STALLED_AFTER = Duration.ofSeconds(15);

  /** So long no command of a kind was done, because of what somebody else holds. */
  private static final Duration FRUITLESS_AFTER = Duration.ofSeconds(5);

  private static final int LOOKS_PER_FILES_LOOK = 60;

  private final WriteCheck writes;
  private final StallWatch lanes;
  private final StoreWatch files;
  private List<String> stalled = List.of();
  private int looks;

  public Readiness(WriteCheck writes, Supplier<List<Lane.Standing>> lanes, StoreWatch files) {
    this.writes = writes;
    this.lanes = new StallWatch(lanes, STALLED_AFTER, FRUITLESS_AFTER, System::nanoTime);
    this.files = files;
  }

  /** What stands in the way, in words for anybody; empty if nothing does. */
  public Optional<String> trouble() {
    Optional<String> write = writes.trouble(WRITE_PATIENCE);
    if (write.isPresent()) {
      LOG.warn("Not ready: {}", write.get());
      return Optional.of("A write to the database would not succeed now.");
    }
    List<String> still = lanes.stalled();
    return still.isEmpty()
        ? Optional.empty()
        : Optional.of("Nothing moves in: " + String.join(", ", still) + ".");
  }

  public StoreWatch.Standing files() {
    return files.now();
  }

  @Override
  public String name() {
    return "readiness";
  }

  @Override
  public void run() {
    List<String> still = lanes.stalled();
    if (!still.equals(stalled)) {
      stalled = still;
      if (still.isEmpty()) {
        LOG.info("All lanes go on");
      } else {
        LOG.error("Lanes stand still: {}", still);
      }
    }
    if (looks++ % LOOKS_PER_FILES_LOOK == 0) {
      files.now();
    }
  }
}
