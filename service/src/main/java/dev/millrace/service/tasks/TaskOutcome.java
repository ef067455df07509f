package dev.millrace.service.tasks;

/**
 * What came of one job of a task.
 *
 * @param credits what was reserved or given back for it
 */
record TaskOutcome(Kind kind, long credits) {

  enum Kind {
    DONE,
    /** There was nothing to do, or the job had moved on meanwhile. */
    SKIPPED,
    /** It could not be done. */
    FAILED
  }

  static final TaskOutcome SKIPPED = new TaskOutcome(Kind.SKIPPED, 0);
  static final TaskOutcome FAILED = new TaskOutcome(Kind.FAILED, 0);

  static TaskOutcome done(long credits) {
    return new TaskOutcome(Kind.DONE, credits);
  }
}
