package dev.millrace.engine.lifecycle;

import java.util.Locale;

/** Who may pull a trigger. */
public enum Actor {
  CLIENT,
  OWNER,
  ADMIN,
  REVIEWER,
  MODERATOR,
  WORKER,
  EXECUTOR,
  COLLECTOR,
  REAPER,
  SYSTEM;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
