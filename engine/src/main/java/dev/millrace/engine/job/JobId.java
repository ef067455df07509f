package dev.millrace.engine.job;

import java.util.Comparator;
import java.util.UUID;

/** A job's id within its tenant. Sorting by it is the order in which jobs are locked. */
public record JobId(int tenant, UUID uuid) implements Comparable<JobId> {

  /** As PostgreSQL orders uuids: byte by byte, unsigned. */
  private static final Comparator<JobId> LOCK_ORDER =
      Comparator.comparingInt(JobId::tenant)
          .thenComparing(id -> id.uuid().getMostSignificantBits(), Long::compareUnsigned)
          .thenComparing(id -> id.uuid().getLeastSignificantBits(), Long::compareUnsigned);

  @Override
  public int compareTo(JobId other) {
    return LOCK_ORDER.compare(this, other);
  }
}
