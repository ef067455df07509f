package dev.millrace.server.edge;

import dev.millrace.service.access.Bounds;
import dev.millrace.service.access.Role;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who asks.
 *
 * @param secret what it shows to the API; null for nothing
 * @param session what it shows to the console; null for nothing
 * @param role null for whoever is let in nowhere but perhaps as a worker
 */
record Caller(
    String name,
    @Nullable String secret,
    @Nullable String session,
    @Nullable Role role,
    Bounds bounds,
    boolean worker) {

  boolean letIn() {
    return role != null;
  }

  /** Whether the row's surface knows who this is: not all who have a key's rights have pages. */
  boolean isKnownTo(RouteRow row) {
    return letIn() && (!row.console() || session != null);
  }

  boolean bound() {
    return bounds.user() != null || bounds.workspace() != null;
  }

  /** Whether its role and its scopes are enough. */
  boolean may(RouteRow row) {
    if (row.isFor("open")) {
      return true;
    }
    if (row.isFor("worker")) {
      return worker;
    }
    return role != null
        && isKnownTo(row)
        && row.scope()
            .map(scope -> role.includes(scope.least()) && bounds.allow(scope))
            .orElse(true);
  }

  /** Leaves the secrets out. */
  @Override
  public String toString() {
    return name;
  }
}
