package dev.millrace.server.fleet;

import dev.millrace.server.duties.Duty;
import dev.millrace.server.observe.Paces;

/** Writes down how fast things went on this node. */
final class PaceKeeping implements Duty {

  private final Paces paces;

  PaceKeeping(Paces paces) {
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
