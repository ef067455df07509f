package dev.millrace.postgres.jobs;

import dev.millrace.postgres.records.RecordMapper;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** How the queues stand. */
public final class Queues {

  private static final String WITH_WORK =
      """
      select w.id
      from unnest(cast(:workflows as int[])) as w (id)
      where exists (
          select 1
          from dispatch d
          where d.workflow_id = w.id
            and d.state = 'queued')
      """;

  private static final String REVOKED_LATELY =
      """
      select uid
      from worker
      where revoked_at > clock_timestamp() - interval '10 s'
      """;

  /** Only live work is in dispatch, so one pass over it is what this costs. */
  private static final String STANDING =
      """
      with live as (
          select d.workflow_id,
              count(*) filter (where d.state = 'queued') as depth,
              count(*) filter (where d.state = 'pending') as pending,
              count(*) filter (where d.lease_token is not null) as running,
              min(d.due_at) filter (where d.state = 'queued') as oldest
          from dispatch d
          group by d.workflow_id),
      held as (
          select d.worker, count(*) as jobs
          from dispatch d
          where d.lease_token is not null
          group by d.worker),
      fleet as (
          select a.workflow_id,
              count(*) filter (where h.jobs > 0) as busy_workers,
              count(*) filter (
                  where h.jobs is null
                    and k.not_ready_reason is null) as idle_workers,
              count(*) filter (where k.not_ready_reason is not null) as not_ready_workers,
              sum(greatest(0, k.max_concurrency - coalesce(h.jobs, 0))) filter (
                  where k.not_ready_reason is null) as idle_slots
          from worker_workflow a
          join worker k on k.id = a.worker_id
          left join held h on h.worker = k.id
          where k.approved_at is not null
            and k.draining_at is null
            and k.revoked_at is null
          group by a.workflow_id),
      done as (
          select t.workflow_id, sum(t.completed) / 5.0 as per_minute
          from throughput t
          where t.minute
              between floor(extract(epoch from clock_timestamp()) / 60)::bigint - 5
              and floor(extract(epoch from clock_timestamp()) / 60)::bigint - 1
          group by t.workflow_id)
      select w.id as workflow_id, w.slug as workflow, w.paused_at is not null as paused,
          coalesce(l.depth, 0) as depth, coalesce(l.pending, 0) as pending,
          coalesce(l.running, 0) as running,
          coalesce(l.running + case when w.paused_at is null then l.depth else 0 end, 0) as demand,
          coalesce(greatest(0, extract(epoch from clock_timestamp() - l.oldest)), 0)::float8
              as oldest_age_seconds,
          coalesce(o.per_minute, 0)::float8 as completed_per_minute,
          coalesce(f.busy_workers, 0) as busy_workers,
          coalesce(f.idle_workers, 0) as idle_workers,
          coalesce(f.not_ready_workers, 0) as not_ready_workers,
          coalesce(f.idle_slots, 0) as idle_slots
      from workflow w
      left join live l on l.workflow_id = w.id
      left join fleet f on f.workflow_id = w.id
      left join done o on o.workflow_id = w.id
      order by w.slug
      """;

  private static final String WAIT =
      """
      with mine as (
          select d.tenant_id, d.job_id, d.workflow_id, d.effect_id, d.deadline_at, d.lease_token,
              case when d.asking_until is null and d.ask_at < 'infinity' then d.ask_at end as ask_at
          from dispatch d
          where d.tenant_id = :tenant
            and d.job_id = :job),
      line as (
          select row_number() over () as place, q.tenant_id, q.job_id
          from (
              select d.tenant_id, d.job_id
              from dispatch d
              where d.workflow_id = (select workflow_id from mine)
                and d.state = 'queued'
              order by d.priority desc, d.virtual_start, d.job_id
              limit 10000) q),
      me as (
          select coalesce(min(l.place), 0)::int as position
          from line l
          join mine using (tenant_id, job_id)),
      able as (
          select k.id, k.max_concurrency, k.approved_at, k.not_ready_reason
          from worker k
          join worker_workflow a on a.worker_id = k.id
          join mine on mine.workflow_id = a.workflow_id
          where k.draining_at is null
            and k.revoked_at is null
            and (cast(:provider as text) is null
              or k.providers is null
              or :provider = any (k.providers))),
      capable as (
          select a.id, a.max_concurrency
          from able a
          where a.approved_at is not null
            and a.not_ready_reason is null)
      select me.position, (
              select count(*)
              from line l
              where l.tenant_id = mine.tenant_id
                and l.place < me.position)::int as own_ahead, (
              select count(*)
              from line)::int as queued,
          e.paused_at is not null or w.paused_at is not null as paused,
          coalesce(e.concurrency, 0) as effect_cap, (
              select count(*)
              from dispatch r
              where r.lease_token is not null
                and r.effect_id = mine.effect_id)::int as running_of_effect, (
              select count(*)
              from dispatch r
              where r.lease_token is not null
                and r.tenant_id = mine.tenant_id)::int as running_of_tenant, (
              select count(*)
              from capable)::int as workers, (
              select count(*)
              from able a
              where a.approved_at is null)::int as unapproved, (
              select count(*)
              from able a
              where a.approved_at is not null
                and a.not_ready_reason is not null)::int as not_ready, (
              select coalesce(sum(c.max_concurrency), 0)
              from capable c)::int as slots, (
              select count(*)
              from dispatch r
              join capable c on c.id = r.worker
              where r.lease_token is not null)::int as held,
          exists (
              select 1
              from attempt a
              where a.tenant_id = mine.tenant_id
                and a.job_id = mine.job_id
                and a.token = mine.lease_token
                and a.unconfirmed_at is not null
                and a.reference is null) as unconfirmed,
          mine.ask_at, mine.deadline_at
      from mine
      join effect e on e.id = mine.effect_id
      join workflow w on w.id = mine.workflow_id
      cross join me
      """;

  private final Jdbi jdbi;

  public Queues(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** Those of these workflows that have a job that could start. */
  public Set<Integer> withWork(Collection<Integer> workflowIds) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(WITH_WORK)
            .bindArray("workflows", Integer.class, workflowIds)
            .mapTo(Integer.class)
            .set());
  }

  /** The workers that were revoked in the last seconds, by uid. */
  public Set<UUID> revokedLately() {
    return jdbi.withHandle(handle -> handle.createQuery(REVOKED_LATELY).mapTo(UUID.class).set());
  }

  /** Every workflow's queue, by name. */
  public List<QueueView> standing() {
    return jdbi.withHandle(
        handle -> handle.createQuery(STANDING).map(RecordMapper.of(QueueView.class)).list());
  }

  /**
   * What a job waits for; empty if it is over.
   *
   * @param provider what its workers must have, or null
   */
  public Optional<WaitView> waitOf(int tenant, UUID job, @Nullable String provider) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(WAIT)
            .bind("tenant", tenant)
            .bind("job", job)
            .bind("provider", provider)
            .map(RecordMapper.of(WaitView.class))
            .findOne());
  }
}
