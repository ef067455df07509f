package dev.millrace.engine.lifecycle;

import org.jspecify.annotations.Nullable;

/**
 * One allowed step.
 *
 * @param from null for a job that does not exist yet
 */
public record Edge(@Nullable State from, Trigger trigger, State to, MoneyEffect money) {

  public String fromLabel() {
    return from == null ? "none" : from.label();
  }
}
