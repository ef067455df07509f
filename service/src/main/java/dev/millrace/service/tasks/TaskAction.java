package dev.millrace.service.tasks;

import dev.millrace.engine.lifecycle.Edge;
import dev.millrace.engine.lifecycle.Lifecycle;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.lifecycle.Trigger;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What a task does to its jobs, and in which states that makes sense. */
public enum TaskAction {
  /** Lets jobs that ended badly go on, each with a new hold. */
  RETRY,
  CANCEL,
  DELETE,
  /** Takes jobs that have not begun through the gates once more. */
  RECHECK;

  private boolean isFor(State state) {
    return switch (this) {
      case RETRY -> leaves(state, Trigger.RETRY_IN_PLACE);
      case CANCEL -> leaves(state, Trigger.CANCEL);
      case DELETE -> state.terminal();
      case RECHECK -> leaves(state, Trigger.POLICY_RECHECK);
    };
  }

  private static boolean leaves(State state, Trigger trigger) {
    return Lifecycle.edges().stream()
        .filter(edge -> edge.trigger() == trigger)
        .map(Edge::from)
        .anyMatch(state::equals);
  }

  /** The states in which a job can be acted on. */
  public List<State> states() {
    return Arrays.stream(State.values()).filter(this::isFor).toList();
  }

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<TaskAction> ofLabel(String label) {
    return Arrays.stream(values()).filter(action -> action.label().equals(label)).findFirst();
  }
}
