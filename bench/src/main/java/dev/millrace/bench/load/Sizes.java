package dev.millrace.bench.load;

import dev.millrace.bench.measure.Span;

/**
 * How much of everything.
 *
 * @param mostCallers the most that ever call at once
 * @param rounds how often a comparison is repeated; the medians are compared
 * @param finishedFew jobs behind the first lease measure, and {@code finishedMany} behind the
 *     second
 * @param backlog jobs that wait to be leased
 * @param pickups how many times an idle fleet is woken
 * @param polls workers of a large idle fleet
 * @param flood how many jobs of the flooding tenant wait at any time
 * @param streams SSE streams on one server
 * @param eventsPerSecond that those streams carry together
 */
public record Sizes(
    Span span,
    int mostCallers,
    int rounds,
    int finishedFew,
    int finishedMany,
    int backlog,
    int pickups,
    int polls,
    int flood,
    int streams,
    int eventsPerSecond) {

  public static final Sizes THOROUGH =
      new Sizes(
          Span.ofMillis(5_000, 15_000),
          1024,
          3,
          10_000,
          2_000_000,
          150_000,
          300,
          5_000,
          2_000,
          10_000,
          1_000);

  public static final Sizes QUICK =
      new Sizes(
          Span.ofMillis(700, 2_000),
          1024,
          1,
          10_000,
          100_000,
          30_000,
          40,
          1_000,
          1_000,
          2_000,
          1_000);

  /** Enough to see that everything works, and for nothing else. */
  public static final Sizes TINY =
      new Sizes(Span.ofMillis(50, 200), 4, 1, 50, 200, 300, 5, 20, 50, 20, 50);

  /** So many, if that isn't too many. */
  public int callers(int wanted) {
    return Math.min(wanted, mostCallers);
  }

  public Sizes with(Span other) {
    return new Sizes(
        other,
        mostCallers,
        rounds,
        finishedFew,
        finishedMany,
        backlog,
        pickups,
        polls,
        flood,
        streams,
        eventsPerSecond);
  }
}
