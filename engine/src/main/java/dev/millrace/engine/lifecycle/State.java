package dev.millrace.engine.lifecycle;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Where a job is. The label is the same word in SQL, JSON, logs and on the console. */
public enum State {
  /** Accepted and paid, not claimable yet: delayed or backing off. */
  PENDING,
  /** Waiting for a worker. */
  QUEUED,
  /** Leased to a worker. */
  RUNNING,
  /** An outside provider accepted it; it must never be submitted again. */
  SUBMITTED,
  /** Done, and held until a reviewer decides. */
  WAITING_REVIEW,
  /** Its owner wants it to stop; whoever runs it has not confirmed yet. */
  CANCELING,
  COMPLETED,
  /** Ended by a permanent error. */
  FAILED,
  /** Ended because its tries were used up. */
  DEAD_LETTER,
  /** Ended by a safety filter or a reviewer. */
  REJECTED,
  CANCELED,
  /** Ended because a deadline passed. */
  EXPIRED,
  /** Denied before it ran; nothing was ever reserved. */
  BLOCKED;

  private static final Map<String, State> BY_LABEL =
      Arrays.stream(values()).collect(Collectors.toMap(State::label, Function.identity()));

  private final String label = name().toLowerCase(Locale.ROOT);

  public String label() {
    return label;
  }

  public boolean terminal() {
    return compareTo(COMPLETED) >= 0;
  }

  public boolean live() {
    return !terminal();
  }

  /** True where a worker or provider holds the job, so that ending it takes their word or time. */
  public boolean executing() {
    return this == RUNNING || this == SUBMITTED || this == CANCELING;
  }

  /** The state of this name, if there is one. */
  public static Optional<State> find(String label) {
    return Optional.ofNullable(BY_LABEL.get(label));
  }

  public static State ofLabel(String label) {
    return find(label)
        .orElseThrow(() -> new IllegalArgumentException("no state is called " + label));
  }
}
