package dev.millrace.service.tasks;

/**
 * What came of one job of a task.
 *
 * @param credits what was reserved or given back for it
 */
record Deed(Kind kind, long credits) {

  enum Kind {
    DONE,
    /** There was nothing to do, or the job had moved on meanwhile. */
    SKIPPED,
    /** It could not be done. */
    FAILED
  }

  static final Deed SKIPPED = new Deed(Kind.SKIPPED, 0);
  static final Deed FAILED = new Deed(Kind.FAILED, 0);

  static Deed done(long credits) {
    return new Deed(Kind.DONE, credits);
  }
}
