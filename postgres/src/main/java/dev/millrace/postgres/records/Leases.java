package dev.millrace.postgres.records;

import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;

/** Finds jobs by what a worker knows of them: its own name, the job's id and the lease's token. */
public final class Leases {

  /** By the index of what workers hold, of which each holds little. */
  private static final String FIND =
      """
      select d.tenant_id, d.job_id, d.effect_id, d.workflow_id, j.attempts as attempt, j.progress,
          j.step, j.message
      from dispatch d
      join job j on j.tenant_id = d.tenant_id and j.id = d.job_id
      where d.worker = :worker
        and d.lease_token = :token
        and d.job_id = :job
      """;

  /**
   * How an attempt ended, as its worker was told. A worker doesn't know its job's tenant, so each
   * tenant's are looked at, by their key; only a repeat or a stale report asks.
   */
  private static final String ENDING =
      """
      select e.state
      from tenant t
      join attempt a on a.tenant_id = t.id and a.job_id = :job
      join job_event e on e.tenant_id = a.tenant_id
          and e.job_id = a.job_id
          and e.attempt = a.number
      where a.worker = :worker
        and a.token = :token
        and e.trigger = any (cast(:triggers as text[]))
      order by e.seq
      limit 1
      """;

  private static final String STANDING =
      """
      select worker, lease_expires_at as expires_at
      from dispatch
      where tenant_id = :tenant
        and job_id = :job
        and lease_token is not null
      """;

  private final Jdbi jdbi;

  public Leases(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** What this worker holds by this token; it may have run out just now. */
  public Optional<HeldLease> find(String worker, UUID job, UUID token) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(FIND)
            .bind("worker", worker)
            .bind("job", job)
            .bind("token", token)
            .map(RecordMapper.of(HeldLease.class))
            .findOne());
  }

  /** Who works on a job, and until when nobody else will. */
  public record Standing(String worker, Instant expiresAt) {}

  /** The lease of a job, for people; the token stays here. */
  public Optional<Standing> standing(int tenant, UUID job) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(STANDING)
            .bind("tenant", tenant)
            .bind("job", job)
            .map(RecordMapper.of(Standing.class))
            .findOne());
  }

  /**
   * The state in which a report left the job, if there was such a report by this token before.
   *
   * @param triggers what the report can have been, in the words of the history
   */
  public Optional<String> ending(String worker, UUID job, UUID token, Collection<String> triggers) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(ENDING)
            .bind("worker", worker)
            .bind("job", job)
            .bind("token", token)
            .bindArray("triggers", String.class, triggers)
            .mapTo(String.class)
            .findOne());
  }
}
