package dev.millrace.postgres.fleet;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A worker of the fleet.
 *
 * @param id the name that it gave itself, such as the id of its machine
 * @param uid ours; another worker with the same name later has another
 * @param workflowIds what it is assigned to
 * @param held how many jobs it holds; 0 where that wasn't asked for
 */
public record WorkerView(
    String id,
    UUID uid,
    Capacity capacity,
    Presence presence,
    Approval approval,
    Readiness readiness,
    List<Integer> workflowIds,
    int held) {

  /**
   * What it says that it can do.
   *
   * @param maxConcurrency how many jobs it may hold at once
   * @param providers whose jobs it takes; null for any
   * @param capabilities what it says about itself, a JSON object
   */
  public record Capacity(int maxConcurrency, @Nullable Set<String> providers, String capabilities) {
    public Capacity {
      providers = providers == null ? null : Set.copyOf(providers);
    }
  }

  /** Since when it is known, and when it was heard of last. */
  public record Presence(Instant registeredAt, Instant lastSeenAt) {}

  /** What an admin decided about it. */
  public record Approval(
      @Nullable Instant approvedAt, @Nullable Instant drainingAt, @Nullable Instant revokedAt) {}

  /**
   * Whether it can run something now.
   *
   * @param notReadyReason why it can't, as it said itself; null while it can
   */
  public record Readiness(@Nullable String notReadyReason, @Nullable Instant notReadySince) {}

  /** How it stands. The label is the word that the API uses. */
  public enum Status {
    PENDING_APPROVAL,
    APPROVED,
    DRAINING,
    REVOKED;

    private final String label = name().toLowerCase(Locale.ROOT);

    public String label() {
      return label;
    }
  }

  public WorkerView {
    workflowIds = List.copyOf(workflowIds);
  }

  public Status status() {
    if (revoked()) {
      return Status.REVOKED;
    }
    if (approval.approvedAt == null) {
      return Status.PENDING_APPROVAL;
    }
    return approval.drainingAt == null ? Status.APPROVED : Status.DRAINING;
  }

  public boolean revoked() {
    return approval.revokedAt != null;
  }

  /** Whether it says that it can run something now. */
  public boolean ready() {
    return readiness.notReadyReason == null;
  }

  /** Whether it may be given jobs now. */
  public boolean atWork() {
    return status() == Status.APPROVED && ready();
  }
}
