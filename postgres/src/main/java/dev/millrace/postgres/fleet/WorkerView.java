package dev.millrace.postgres.fleet;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A worker of the fleet.
 *
 * @param id the name that it gave itself, such as the id of its machine
 * @param uid ours; another worker with the same name later has another
 * @param maxConcurrency how many jobs it may hold at once
 * @param providers whose jobs it takes; null for any
 * @param capabilities what it says about itself, a JSON object
 * @param notReadyReason why it can't run anything now, as it said itself; null while it can
 * @param workflowIds what it is assigned to
 * @param held how many jobs it holds; 0 where that wasn't asked for
 */
public record WorkerView(
    String id,
    UUID uid,
    int maxConcurrency,
    @Nullable Set<String> providers,
    String capabilities,
    Instant registeredAt,
    Instant lastSeenAt,
    @Nullable Instant approvedAt,
    @Nullable Instant drainingAt,
    @Nullable Instant revokedAt,
    @Nullable String notReadyReason,
    @Nullable Instant notReadySince,
    List<Integer> workflowIds,
    int held) {

  public WorkerView {
    providers = providers == null ? null : Set.copyOf(providers);
    workflowIds = List.copyOf(workflowIds);
  }

  /** How it stands, in the word that the API uses. */
  public String status() {
    if (revokedAt != null) {
      return "revoked";
    }
    if (approvedAt == null) {
      return "pending_approval";
    }
    return drainingAt == null ? "approved" : "draining";
  }

  public boolean revoked() {
    return revokedAt != null;
  }

  /** Whether it says that it can run something now. */
  public boolean ready() {
    return notReadyReason == null;
  }

  /** Whether it may be given jobs now. */
  public boolean atWork() {
    return approvedAt != null && drainingAt == null && revokedAt == null && ready();
  }
}
