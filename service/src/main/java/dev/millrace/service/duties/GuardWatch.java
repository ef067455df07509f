package dev.millrace.service.duties;

import dev.millrace.service.guard.GuardReload;
import dev.millrace.service.guard.GuardRules;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Picks up an edited file of guard rules. Mistakes are reported once, and the old rules stay. */
public final class GuardWatch implements Duty {

  private static final Logger LOG = LoggerFactory.getLogger(GuardWatch.class);

  private final GuardRules rules;

  public GuardWatch(GuardRules rules) {
    this.rules = rules;
  }

  @Override
  public String name() {
    return "guard-watch";
  }

  @Override
  public void run() {
    if (!rules.changed()) {
      return;
    }
    switch (rules.reload()) {
      case GuardReload.Reloaded(var now) ->
          LOG.info("Reloaded the guard's rules: there are {}", now.size());
      case GuardReload.Rejected(var mistakes) ->
          mistakes.forEach(
              mistake -> LOG.error("The guard's rules stay as they were. {}", mistake));
    }
  }
}
