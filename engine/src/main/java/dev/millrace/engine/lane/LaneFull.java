package dev.millrace.engine.lane;

/** The lane has as much to do as it may pile up. Try again a little later. */
public final class LaneFull extends RuntimeException {
  public LaneFull() {
    super("too much is waiting");
  }
}
