package dev.millrace.service.duties;

import dev.millrace.service.access.LastUses;

/** Writes which keys and sessions were used. */
public record LastUseWriting(LastUses uses) implements Duty {

  @Override
  public String name() {
    return "last-uses";
  }

  @Override
  public void run() {
    uses.write();
  }
}
