package dev.millrace.postgres.jobs;

import java.util.Locale;

/** How a task stands. The label is the same word in SQL, JSON and on the console. */
public enum TaskState {
  RUNNING,
  /** Somebody wants it to stop; whoever works on it has not seen that yet. */
  STOPPING,
  DONE,
  STOPPED;

  private final String label = name().toLowerCase(Locale.ROOT);

  public String label() {
    return label;
  }
}
