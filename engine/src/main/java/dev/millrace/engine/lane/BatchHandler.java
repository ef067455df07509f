package dev.millrace.engine.lane;

import dev.millrace.engine.port.Store;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Runs the batches of a lane, each in one transaction. If it throws anything but {@link
 * Store.OutcomeUnknown}, nothing of the batch happened. The answers that it returns are asked for
 * once, when the turn is over, and are in the order of the commands.
 */
@FunctionalInterface
public interface BatchHandler<C, R> {

  /**
   * Runs all of them.
   *
   * @throws Store.Busy if somebody else holds what one of them needs
   */
  Supplier<List<R>> run(List<C> commands);

  /** The same, but stands in line for what others hold for an instant only. */
  default Supplier<List<R>> runBriefly(List<C> commands) {
    return run(commands);
  }

  /** Whether it can leave out those commands that would have to wait. */
  default boolean skips() {
    return false;
  }

  /** Runs those of them that need nothing that somebody else holds. */
  default Partly<R> runFree(List<C> commands) {
    return new Partly<>(Set.of(), run(commands));
  }

  /**
   * What came of it.
   *
   * @param busy the places of the commands that did not run, from 0 on
   * @param answers to the others, in their order
   */
  record Partly<R>(Set<Integer> busy, Supplier<List<R>> answers) {}
}
