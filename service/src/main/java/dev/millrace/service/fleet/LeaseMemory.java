package dev.millrace.service.fleet;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.job.Job;
import dev.millrace.postgres.fleet.HeldLease;
import dev.millrace.postgres.fleet.Leases;
import dev.millrace.service.fleet.WorkerReports.Claimed;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * Whose lease is whose. What this node gave out it remembers, so that a heartbeat needn't look it
 * up; the rest is in the database. Nothing here says that a lease is still alive: the engine does,
 * when it has the job's lock.
 */
final class LeaseMemory {

  private static final Duration UNUSED = Duration.ofMinutes(10);
  private static final int MOST_REMEMBERED = 50_000;

  private record LeaseHolder(String worker, HeldLease lease) {}

  private final Leases leases;
  private final Cache<UUID, LeaseHolder> given =
      Caffeine.newBuilder().expireAfterAccess(UNUSED).maximumSize(MOST_REMEMBERED).build();

  LeaseMemory(Leases leases) {
    this.leases = leases;
  }

  void remember(String worker, Leased leased) {
    Job job = leased.job();
    given.put(
        leased.token(),
        new LeaseHolder(
            worker,
            new HeldLease(
                job.id().tenant(),
                job.id().uuid(),
                job.terms().effectId(),
                job.terms().workflowId(),
                job.tries().attempts())));
  }

  /** It is over; whoever comes with it again is looked up. */
  void forget(UUID token) {
    given.invalidate(token);
  }

  /** What this worker holds by this token, or held until a moment ago. */
  Optional<HeldLease> find(Claimed claimed) {
    LeaseHolder known = given.getIfPresent(claimed.token());
    return known != null
            && known.worker.equals(claimed.worker())
            && known.lease.jobId().equals(claimed.job())
        ? Optional.of(known.lease)
        : look(claimed);
  }

  /** What this worker holds by this token as the database has it; it may have run out just now. */
  Optional<HeldLease> look(Claimed claimed) {
    return leases.find(claimed.worker(), claimed.job(), claimed.token());
  }
}
