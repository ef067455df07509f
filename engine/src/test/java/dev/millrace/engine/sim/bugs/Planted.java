package dev.millrace.engine.sim.bugs;

import dev.millrace.engine.sim.Bug;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A bug in the collection.
 *
 * @param story what it does, as the table in the documentation tells it
 * @param bug makes a new one for each schedule, because some remember things
 */
public record Planted(String name, String story, Supplier<Bug> bug) {

  public static List<Planted> all() {
    return Stream.of(
            FenceBugs.ALL,
            MoneyBugs.ALL,
            PaymentBugs.ALL,
            KeyBugs.ALL,
            QueueBugs.ALL,
            CapBugs.ALL,
            HistoryBugs.ALL,
            LifeBugs.ALL,
            OutsideBugs.ALL,
            PeopleBugs.ALL,
            NodeBugs.ALL)
        .flatMap(List::stream)
        .toList();
  }

  @Override
  public String toString() {
    return name;
  }
}
