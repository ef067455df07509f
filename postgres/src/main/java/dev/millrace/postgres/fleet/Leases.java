package dev.millrace.postgres.fleet;

import dev.millrace.postgres.records.Lookup;
import dev.millrace.postgres.records.RecordMapper;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;

/** Finds jobs by what a worker knows of them: its own name, the job's id and the lease's token. */
public final class Leases implements AutoCloseable {

  /** By the index of what workers hold, of which each holds little. */
  private static final String FIND =
      """
      select k.place, d.tenant_id, d.job_id, d.effect_id, d.workflow_id, j.attempts as attempt
      from unnest(
              cast(:workers as text[]), cast(:jobs as uuid[]), cast(:tokens as uuid[]))
          with ordinality as k (worker, job_id, token, place)
      join dispatch d on d.worker = k.worker
          and d.lease_token = k.token
          and d.job_id = k.job_id
      join job j on j.tenant_id = d.tenant_id and j.id = d.job_id
      """;

  /** How an attempt ended, as its worker was told; a worker doesn't know its job's tenant. */
  private static final String ENDING =
      """
      select e.state
      from attempt a
      join job_event e on e.tenant_id = a.tenant_id
          and e.job_id = a.job_id
          and e.attempt = a.number
      where a.job_id = :job
        and a.worker = :worker
        and a.token = :token
        and e.trigger = any (cast(:triggers as text[]))
      order by e.seq
      limit 1
      """;

  private static final String STANDING =
      """
      select worker, lease_expires_at as expires_at
      from job
      where tenant_id = :tenant
        and id = :job
        and lease_token is not null
      """;

  private record Claimed(String worker, UUID job, UUID token) {}

  private final Jdbi jdbi;
  private final Lookup<Claimed, HeldLease> lookup;

  public Leases(Jdbi jdbi) {
    this.jdbi = jdbi;
    this.lookup = new Lookup<>("find-lease", this::findAll);
  }

  /** What this worker holds by this token; it may have run out just now. */
  public Optional<HeldLease> find(String worker, UUID job, UUID token) {
    return lookup.find(new Claimed(worker, job, token));
  }

  private List<Lookup.Found<HeldLease>> findAll(List<Claimed> leases) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(FIND)
            .bindArray("workers", String.class, leases.stream().map(Claimed::worker).toList())
            .bindArray("jobs", UUID.class, leases.stream().map(Claimed::job).toList())
            .bindArray("tokens", UUID.class, leases.stream().map(Claimed::token).toList())
            .map(RecordMapper.of(HeldLease.class).found())
            .list());
  }

  @Override
  public void close() {
    lookup.close();
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
