package dev.millrace.bench.scenario;

import dev.millrace.bench.load.Sizes;
import dev.millrace.bench.measure.Sheet;
import dev.millrace.bench.measure.Span;
import dev.millrace.bench.place.Arena;
import dev.millrace.bench.place.Site;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * Lets the virtual machine compile what all scenarios need, before the first is measured. On two
 * cores the compiler takes a quarter of the machine for half a minute; the first scenario would pay
 * for it, and the others would not.
 */
public final class WarmUp implements Scenario {

  private static final int MOST_ROUNDS = 8;

  /** The compiler's part of a round that is no longer worth waiting for. */
  private static final double QUIET = 0.05;

  @Override
  public String letter() {
    return "-";
  }

  @Override
  public String title() {
    return "Warm-up";
  }

  @Override
  public void run(Site site, Sizes sizes, Sheet sheet) throws Exception {
    Duration round = sizes.span().warmUp().plus(sizes.span().measure());
    try (Arena arena = site.arena(16)) {
      for (int i = 0; i < MOST_ROUNDS; i++) {
        long before = compiling();
        BatchedEngine.lifecycles(arena, 64, sizes.with(new Span(Duration.ZERO, round)));
        if (compiling() - before < QUIET * round.toMillis()) {
          break;
        }
      }
    }
  }

  private static long compiling() {
    return ManagementFactory.getCompilationMXBean().getTotalCompilationTime();
  }
}
