package dev.millrace.postgres.outside;

import dev.millrace.engine.job.JobId;
import dev.millrace.postgres.records.RecordMapper;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.SqlStatement;

/**
 * Who asks about work at outside providers, and when. It changes no job: the engine does that, with
 * what the provider answers. Whoever claims work is the only one to ask about it for a while.
 */
public final class Handovers {

  /**
   * A job that is being canceled is due at once, once. Rows that a batch holds are left for the
   * next look.
   */
  private static final String CLAIM =
      """
      with due as (
          select d.tenant_id, d.job_id
          from dispatch d
          where d.provider = any (cast(:providers as text[]))
            and d.state in ('submitted', 'canceling')
            and coalesce(d.asking_until, '-infinity') <= clock_timestamp()
            and (d.asking_until is not null
              or coalesce(d.ask_at, '-infinity') <= clock_timestamp()
              or (d.state = 'canceling' and d.told_at is null))
            and exists (
              select 1
              from attempt a
              where a.tenant_id = d.tenant_id
                and a.job_id = d.job_id
                and a.token = d.lease_token
                and (a.reference is not null or a.unconfirmed_at is not null))
          order by d.ask_at nulls first
          limit :limit
          for update skip locked)
      update dispatch d
      set ask_at = 'infinity',
          asking_until = clock_timestamp() + :claim * interval '1 ms',
          told_at = case when d.state = 'canceling' then clock_timestamp() end
      from due
      where d.tenant_id = due.tenant_id
        and d.job_id = due.job_id
      returning d.tenant_id, d.job_id
      """;

  private static final String VIEW =
      """
      select a.tenant_id, a.job_id, a.number as attempt, a.token, j.workflow_id,
          coalesce(a.provider, j.provider) as provider, a.reference,
          coalesce(a.intent_at, a.started_at) as intended_at, j.state, j.run_seconds, j.progress,
          i.input, j.wallet_id,
          coalesce(extract(epoch from j.deadline_at - clock_timestamp()), 0)::float8
              as seconds_left
      from attempt a
      join job j on j.tenant_id = a.tenant_id and j.id = a.job_id
      join job_input i on i.tenant_id = a.tenant_id and i.job_id = a.job_id
      """;

  private static final String CLAIMED =
      VIEW
          + """
          join dispatch d on d.tenant_id = a.tenant_id
              and d.job_id = a.job_id
              and d.lease_token = a.token
          where a.tenant_id = :tenant
            and a.job_id = :job
            and (a.reference is not null or a.unconfirmed_at is not null)
          """;

  private static final String BY_REFERENCE =
      VIEW
          + """
          where a.provider = :provider
            and a.reference = :reference
          """;

  private static final String BY_ATTEMPT =
      VIEW
          + """
          where a.tenant_id = :tenant
            and a.job_id = :job
            and a.number = :attempt
          """;

  /**
   * Work that an attempt left behind when it ended without an answer; or as not taken, while
   * another asker heard that it was; or with a result that could not be used. A later attempt that
   * failed had asked about it before, and then it needs no asking any more, unless that one could
   * not use the result either.
   */
  private static final String LEFT =
      VIEW
          + """
          where a.tenant_id = :tenant
            and a.job_id = :job
            and a.provider = :provider
            and a.reference is not null
            and (a.outcome in ('lease_lost', 'requeued', 'expired')
              or (a.outcome = 'failed' and (a.error = :not_taken or starts_with(a.error, :unused))))
            and not exists (
              select 1
              from attempt l
              where l.tenant_id = a.tenant_id
                and l.job_id = a.job_id
                and l.number > a.number
                and l.outcome = 'failed'
                and not starts_with(coalesce(l.error, ''), :unused)
                and (l.intent_at is not null or l.unconfirmed_at is not null))
          order by a.number desc
          """;

  private static final String RENEW =
      """
      update dispatch
      set asking_until = clock_timestamp() + :claim * interval '1 ms'
      where tenant_id = :tenant
        and job_id = :job
        and lease_token = :token
        and asking_until is not null
      """;

  /** A nudge that came meanwhile counts. */
  private static final String RELEASE =
      """
      update dispatch
      set ask_at = least(nullif(ask_at, 'infinity'), clock_timestamp() + :pause * interval '1 ms'),
          asking_until = null
      where tenant_id = :tenant
        and job_id = :job
        and lease_token = :token
      """;

  private static final String NUDGE =
      """
      update dispatch d
      set ask_at = clock_timestamp()
      from attempt a
      where a.provider = :provider
        and a.reference = :reference
        and d.tenant_id = a.tenant_id
        and d.job_id = a.job_id
        and d.lease_token = a.token
      """;

  private static final String STATE =
      """
      select state
      from job
      where tenant_id = :tenant
        and id = :job
      """;

  private static final String WAITED_FOR =
      """
      select d.tenant_id, d.job_id
      from unnest(cast(:tenants as int[]), cast(:jobs as uuid[]), cast(:tokens as uuid[]))
          as w (tenant_id, job_id, token)
      join dispatch d on d.tenant_id = w.tenant_id
          and d.job_id = w.job_id
          and d.lease_token = w.token
      where d.state = 'submitted'
      """;

  private static final String NUDGE_INTENT =
      """
      update dispatch d
      set ask_at = clock_timestamp()
      from attempt a
      where a.tenant_id = :tenant
        and a.job_id = :job
        and a.unconfirmed_at is not null
        and a.reference is null
        and d.tenant_id = a.tenant_id
        and d.job_id = a.job_id
        and d.lease_token = a.token
      """;

  private static final String WAITING =
      """
      select event
      from inbox
      where provider = :provider
        and reference = :reference
        and verdict = 'waiting'
      order by received_at
      limit 1
      """;

  private static final String STRAYS =
      """
      select b.provider, b.event, b.reference, b.intent, b.received_at, a.tenant_id, a.job_id,
          a.token, coalesce(a.ended_at is not null, false) as over
      from inbox b
      left join attempt a on a.provider = b.provider and a.reference = b.reference
      where b.verdict = 'waiting'
        and b.received_at < clock_timestamp() - :age * interval '1 ms'
      order by b.received_at
      limit :limit
      """;

  private final Jdbi jdbi;

  public Handovers(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** What was meant to be handed over. */
  public Intents intents() {
    return new Intents(jdbi);
  }

  /** Work of these providers that is to be asked about now; for so long nobody else gets it. */
  public List<HandoverView> claim(Collection<String> providers, int limit, Duration claim) {
    List<JobId> claimed =
        jdbi.withHandle(handle ->
            handle
                .createQuery(CLAIM)
                .bindArray("providers", String.class, providers)
                .bind("limit", limit)
                .bind("claim", claim.toMillis())
                .map((row, _) ->
                    new JobId(row.getInt("tenant_id"), row.getObject("job_id", UUID.class)))
                .list());
    // Each is looked up by its key. The one who has ended meanwhile is gone.
    return claimed.stream().flatMap(job -> claimed(job).stream()).toList();
  }

  /** What the job's present attempt waits for; empty if it waits for no service. */
  public Optional<HandoverView> claimed(JobId job) {
    return jdbi.withHandle(handle ->
        at(handle.createQuery(CLAIMED), job).map(RecordMapper.of(HandoverView.class)).findOne());
  }

  /** Goes on asking; false if the work is nobody's any more. */
  public boolean renew(JobId job, UUID token, Duration claim) {
    return jdbi.withHandle(handle ->
        at(handle.createUpdate(RENEW), job)
            .bind("token", token)
            .bind("claim", claim.toMillis())
            .execute())
        > 0;
  }

  /** Those of these jobs whose attempt is out and wanted, by the tokens of their attempts. */
  public Set<JobId> waitedFor(Map<JobId, UUID> tokens) {
    List<Map.Entry<JobId, UUID>> jobs = List.copyOf(tokens.entrySet());
    return jdbi.withHandle(handle ->
        handle
            .createQuery(WAITED_FOR)
            .bindArray(
                "tenants", Integer.class, jobs.stream().map(e -> e.getKey().tenant()).toList())
            .bindArray("jobs", UUID.class, jobs.stream().map(e -> e.getKey().uuid()).toList())
            .bindArray("tokens", UUID.class, jobs.stream().map(Map.Entry::getValue).toList())
            .map(
                (row, _) -> new JobId(row.getInt("tenant_id"), row.getObject("job_id", UUID.class)))
            .set());
  }

  /**
   * Asks again after a pause, or lets another one ask. Only for whoever has claimed it, or runs the
   * attempt while nobody can claim it: two that ask at once could disagree.
   */
  public void release(JobId job, UUID token, Duration pause) {
    jdbi.useHandle(handle ->
        at(handle.createUpdate(RELEASE), job)
            .bind("token", token)
            .bind("pause", pause.toMillis())
            .execute());
  }

  /** There is news of this work; false if nobody waits for any. */
  public boolean nudge(String provider, String reference) {
    return jdbi.withHandle(handle ->
        handle
            .createUpdate(NUDGE)
            .bind("provider", provider)
            .bind("reference", reference)
            .execute())
        > 0;
  }

  /** The attempt that a provider knows by this reference, in whatever state. */
  public Optional<HandoverView> byReference(String provider, String reference) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(BY_REFERENCE)
            .bind("provider", provider)
            .bind("reference", reference)
            .map(RecordMapper.of(HandoverView.class))
            .findOne());
  }

  /** An attempt, in whatever state its job is. */
  public Optional<HandoverView> attempt(JobId job, int number) {
    return jdbi.withHandle(handle ->
        at(handle.createQuery(BY_ATTEMPT), job)
            .bind("attempt", number)
            .map(RecordMapper.of(HandoverView.class))
            .findOne());
  }

  /** Somebody called back about a job of which nobody knows whether its provider has it. */
  public boolean nudge(JobId job) {
    return jdbi.withHandle(handle -> at(handle.createUpdate(NUDGE_INTENT), job).execute()) > 0;
  }

  /**
   * Work of this job at this provider that nobody waits for any more, the newest first.
   *
   * @param notTaken the message with which an attempt ends that the provider did not take
   * @param unused how the message begins with which one ends whose result could not be used
   */
  public List<HandoverView> left(JobId job, String provider, String notTaken, String unused) {
    return jdbi.withHandle(handle ->
        at(handle.createQuery(LEFT), job)
            .bind("provider", provider)
            .bind("not_taken", notTaken)
            .bind("unused", unused)
            .map(RecordMapper.of(HandoverView.class))
            .list());
  }

  /** The label of the job's state; empty if there is no such job. */
  public Optional<String> state(JobId job) {
    return jdbi.withHandle(
        handle -> at(handle.createQuery(STATE), job).mapTo(String.class).findOne());
  }

  /** The event of the oldest callback about this work that nobody has judged. */
  public Optional<String> waiting(String provider, String reference) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(WAITING)
            .bind("provider", provider)
            .bind("reference", reference)
            .mapTo(String.class)
            .findOne());
  }

  /** Callbacks that have waited for so long, the oldest first. */
  public List<StrayCallback> strays(Duration age, int limit) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(STRAYS)
            .bind("age", age.toMillis())
            .bind("limit", limit)
            .map(RecordMapper.of(StrayCallback.class))
            .list());
  }

  private static <S extends SqlStatement<S>> S at(S statement, JobId job) {
    return statement.bind("tenant", job.tenant()).bind("job", job.uuid());
  }
}
