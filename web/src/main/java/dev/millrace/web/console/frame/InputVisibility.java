package dev.millrace.web.console.frame;

import dev.millrace.postgres.jobs.JobView;
import dev.millrace.service.access.Scope;

/**
 * Who reads other people's prompts. A visitor reads what was asked for in his own name. Somebody
 * else's input is masked; an administrator or reviewer can uncover it, and that is audited.
 */
public final class InputVisibility {

  private InputVisibility() {}

  public static boolean mayRead(Visit visit, JobView job) {
    return job.request().userId().equals(visit.user());
  }

  public static boolean mayUncover(Visit visit) {
    return visit.may(Scope.REVIEWS_WRITE);
  }
}
