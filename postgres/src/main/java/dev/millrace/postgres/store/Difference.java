package dev.millrace.postgres.store;

import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.Lease;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What has to be written of a job that was changed, told by how it was when it was locked. */
final class Difference {

  private Difference() {}

  /** True if nothing changed but what a heartbeat tells: progress, and how long the lease lasts. */
  static boolean onlyTold(@Nullable Job before, Job now) {
    return before != null
        && before.terms().equals(now.terms())
        && before.tries().equals(now.tries())
        && before.hold().equals(now.hold())
        && before.delivered() == now.delivered()
        && before.times().equals(now.times().changed(before.times().changedAt()))
        && Objects.equals(before.failure(), now.failure())
        && before.afterEnd().equals(now.afterEnd())
        && samePlace(before, now);
  }

  /** True if the dispatch is as it was: it knows who has the lease, but not for how long. */
  static boolean samePlace(@Nullable Job before, Job now) {
    return before != null
        && before.state() == now.state()
        && before.times().dueAt().equals(now.times().dueAt())
        && Objects.equals(before.times().deadlineAt(), now.times().deadlineAt())
        && sameHolder(before.lease(), now.lease());
  }

  private static boolean sameHolder(@Nullable Lease before, @Nullable Lease now) {
    if (before == null || now == null) {
      return before == null && now == null;
    }
    return before.equals(now.until(before.expiresAt()));
  }
}
