package dev.millrace.service.jobs;

import dev.millrace.service.access.Principal;

/**
 * How many jobs somebody may still submit, where that is counted. Jobs are taken before they are
 * submitted and given back if they were not accepted, so a crash in between may cost some and never
 * gains any.
 */
public interface JobAllowance {

  /** Whether the jobs of this principal are counted. */
  boolean counts(Principal by);

  /** False if there are not so many left; then none was taken. */
  boolean take(Principal by, int jobs);

  /** It never fails: whatever is not given back was spent. */
  void giveBack(Principal by, int jobs);
}
