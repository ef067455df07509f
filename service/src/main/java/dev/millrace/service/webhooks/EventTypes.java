package dev.millrace.service.webhooks;

import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.history.EventLog.Entry;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The names of what an endpoint can hear. */
public final class EventTypes {

  /** Everything but progress, which is often and has to be asked for by its name. */
  public static final String ALL = "*";

  /** What an endpoint hears that asks for nothing in particular: ends, and waits for a person. */
  public static final List<String> USUAL =
      List.of(
          "job.waiting_review",
          "job.completed",
          "job.failed",
          "job.dead_letter",
          "job.rejected",
          "job.canceled",
          "job.expired");

  public static final String TEST = "webhook.test";

  /** What an endpoint asks for by its name that takes the items of jobs; no event, but a call. */
  public static final String ITEMS = "transfer.items";

  /** The same for rows of files. */
  public static final String ROWS = "transfer.rows";

  static final String PROGRESS = "job.progress";
  private static final String CREATED = "job.created";
  private static final Set<String> KNOWN = known();

  private EventTypes() {}

  private static Set<String> known() {
    Set<String> names = new LinkedHashSet<>(List.of(CREATED, PROGRESS));
    for (State state : State.values()) {
      names.add(of(state));
    }
    return names;
  }

  /** Every type of event that a job can have. */
  public static Set<String> all() {
    return Set.copyOf(KNOWN);
  }

  /** Everything that an endpoint can ask for, beside {@link #ALL}. */
  public static Set<String> askable() {
    Set<String> names = new LinkedHashSet<>(KNOWN);
    names.add(ITEMS);
    names.add(ROWS);
    return names;
  }

  static String of(Entry event) {
    if (event.change().trigger() == null) {
      return PROGRESS;
    }
    return event.change().fromState() == null && event.change().state() != State.BLOCKED
        ? CREATED
        : of(event.change().state());
  }

  private static String of(State state) {
    return "job." + state.label();
  }

  /** Whether somebody who asked for these hears of this type. */
  static boolean wants(Collection<String> asked, String type) {
    return asked.contains(type) || (asked.contains(ALL) && !type.equals(PROGRESS));
  }
}
