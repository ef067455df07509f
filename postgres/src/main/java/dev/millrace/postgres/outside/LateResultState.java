package dev.millrace.postgres.outside;

import java.util.Locale;

/** How a result stands that came too late. The label is the same word in SQL. */
public enum LateResultState {
  /** It waits for somebody to want it. */
  KEPT,
  /** Somebody wanted it, so its job is paid for and has it. */
  ADOPTED;

  private final String label = name().toLowerCase(Locale.ROOT);

  String label() {
    return label;
  }
}
