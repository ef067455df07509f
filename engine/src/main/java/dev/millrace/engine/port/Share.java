package dev.millrace.engine.port;

/**
 * A tenant's place in a queue, for start-time fair queuing: each new job starts where the tenant's
 * last one ends, but never before what the queue serves now. So a tenant that floods the queue
 * lines up behind itself.
 *
 * @param served the virtual start of the newest job that left the queue
 * @param finish where the tenant's newest job ends
 */
public record Share(Id key, long served, long finish) {

  /** The place of a job that is not in the queue yet: behind all that are. */
  public static final long NOWHERE = Long.MAX_VALUE;

  public record Id(int workflowId, int tenant) implements Comparable<Id> {
    @Override
    public int compareTo(Id other) {
      int byWorkflow = Integer.compare(workflowId, other.workflowId);
      return byWorkflow != 0 ? byWorkflow : Integer.compare(tenant, other.tenant);
    }
  }

  /** Where the next job of this tenant starts. */
  public long start() {
    return Math.max(served, finish);
  }

  /** After a job of this cost; even a free one takes a unit of the queue. */
  public Share after(long cost) {
    return new Share(key, served, Math.addExact(start(), Math.max(1, cost)));
  }
}
