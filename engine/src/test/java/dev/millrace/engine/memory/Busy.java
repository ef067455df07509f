package dev.millrace.engine.memory;

/** Another transaction holds this row; a database would let the caller wait. */
public final class Busy extends RuntimeException {
  Busy(Object row) {
    super("somebody holds " + row);
  }
}
