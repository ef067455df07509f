package dev.millrace.postgres.jobs;

import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.jobs.Jobs.Filter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Lists jobs that have not ended before all others, each the newest first. Only so many of the
 * newest count as such: whoever has had millions doesn't wait for all of them to be looked at.
 */
public final class ActiveFirst {

  private static final int AMONG = 10_000;

  private ActiveFirst() {}

  /**
   * A page of them.
   *
   * @param ended whether the page before has come to those that are over
   */
  public static List<JobView> list(Jobs jobs, Filter filter, boolean ended) {
    List<JobView> page = new ArrayList<>();
    if (!ended) {
      those(filter, false)
          .map(live -> jobs.list(live, jobs.floor(live, AMONG).orElse(null)))
          .ifPresent(page::addAll);
    }
    int left = filter.limit() - page.size();
    if (left > 0) {
      those(filter.from(ended ? filter.before() : null, left), true)
          .map(jobs::list)
          .ifPresent(page::addAll);
    }
    return page;
  }

  /** The same question about those that are over, or those that are not; empty if none can be. */
  private static Optional<Filter> those(Filter filter, boolean over) {
    List<State> asked = filter.states();
    List<State> wanted =
        Stream.of(State.values())
            .filter(state -> state.terminal() == over)
            .filter(state -> asked == null || asked.contains(state))
            .toList();
    return wanted.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Filter(
                filter.whose(),
                filter.effect(),
                wanted,
                filter.batch(),
                filter.ending(),
                filter.before(),
                filter.limit()));
  }
}
