package dev.millrace.bench.scenario;

import dev.millrace.bench.measure.Sheet;
import dev.millrace.bench.measure.Span;
import dev.millrace.bench.place.Arena;
import dev.millrace.bench.place.Site;

/** Lets the virtual machine compile what all scenarios need, before the first is measured. */
public final class WarmUp implements Scenario {

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
    try (Arena arena = site.arena(16)) {
      Span span = new Span(sizes.span().warmUp().multipliedBy(3), sizes.span().warmUp());
      BatchedEngine.lifecycles(arena, 64, sizes.with(span));
    }
  }
}
