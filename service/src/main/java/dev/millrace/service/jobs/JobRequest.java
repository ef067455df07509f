package dev.millrace.service.jobs;

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
    @Nullable Instant runAt) {

  /** The highest priority there is; the lowest is as far below zero. */
  public static final int HIGHEST_PRIORITY = 100;

  /** Priority comes before the fairness between tenants, so only an admin may push forward. */
  public static int mostPriority(Role role) {
    return role.includes(Role.ADMIN) ? HIGHEST_PRIORITY : 0;
  }

  JobRequest withPriority(int other) {
    return new JobRequest(effect, input, user, idempotencyKey, other, runAt);
  }
}
