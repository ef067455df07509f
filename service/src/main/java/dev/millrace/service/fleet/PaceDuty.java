package dev.millrace.service.fleet;

import dev.millrace.service.duties.Duty;
import dev.millrace.service.observe.Paces;

/** Writes down how fast things went on this node. */
final class PaceDuty implements Duty {

  private final Paces paces;

  PaceDuty(Paces paces) {
    this.paces = paces;
  }

  @Override
  public String name() {
    return "pace-keeping";
  }

  @Override
  public void run() {
    paces.write();
  }
}
