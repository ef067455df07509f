package dev.millrace.server.console;

import dev.millrace.postgres.records.JobView;
import dev.millrace.server.auth.Role;

/**
 * Who reads other people's prompts. A visitor reads what was asked for in his own name. Somebody
 * else's input is masked; an administrator or reviewer can uncover it, and that is audited.
 */
final class Masks {

  private Masks() {}

  static boolean mayRead(Visit visit, JobView job) {
    return job.userId().equals(visit.user());
  }

  static boolean mayUncover(Visit visit) {
    return visit.is(Role.REVIEWER);
  }
}
