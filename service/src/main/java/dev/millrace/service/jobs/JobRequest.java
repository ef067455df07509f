package dev.millrace.service.jobs;

import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Role;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** What a client asks for, checked for its form only. */
public record JobRequest(
    String effect,
    ObjectNode input,
    String user,
    @Nullable String idempotencyKey,
    int priority,
    @Nullable Instant runAt,
    @Nullable String workspace,
    JobNotes notes) {

  /** The highest priority there is; the lowest is as far below zero. */
  public static final int HIGHEST_PRIORITY = 100;

  /**
   * Priority comes before the fairness between tenants, so how far a tenant may push forward is the
   * operator's to say, and who of the tenant may do so is its admin.
   */
  public static int mostPriority(Principal by) {
    if (by.role().includes(Role.OPERATOR)) {
      return HIGHEST_PRIORITY;
    }
    @Nullable Integer allowed = by.home().limits().priority();
    return by.role().includes(Role.ADMIN) && allowed != null ? allowed : 0;
  }

  /** The same, asked for by the dialect of this label. */
  public JobRequest through(String dialect) {
    return new JobRequest(
        effect, input, user, idempotencyKey, priority, runAt, workspace, notes.through(dialect));
  }

  /** The same with wishes of its own. */
  public JobRequest with(JobNotes.Wishes wishes) {
    return new JobRequest(
        effect, input, user, idempotencyKey, priority, runAt, workspace, notes.with(wishes));
  }

  JobRequest withPriority(int other) {
    return new JobRequest(effect, input, user, idempotencyKey, other, runAt, workspace, notes);
  }
}
