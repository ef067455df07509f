package dev.millrace.postgres.outside;

import dev.millrace.engine.job.JobId;
import dev.millrace.postgres.records.RecordMapper;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.SqlStatement;

/** What attempts were meant to hand over, and what is known of that. It only looks. */
public final class Intents {

  /**
   * Every submit that got no clear answer, for as long as the job lives: what a provider says of it
   * is true when it is said, and work can show up after it was judged not taken. So does one whose
   * attempt has a reference, which may be that of another attempt's work. What was refused clearly
   * is no riddle. A submit's age counts from when nobody could send it any more. An interruption
   * has counted when a later attempt that asked about it has failed.
   */
  private static final String UNHEARD =
      """
      select a.number as attempt, a.token, a.provider, a.reference, a.intent_at as intended_at,
          extract(epoch from clock_timestamp() - coalesce(a.unconfirmed_at, a.ended_at))
              as quiet_seconds,
          coalesce(a.outcome, '') = 'failed' as judged,
          a.reference is not null
            or coalesce(a.outcome, '') not in ('lease_lost', 'requeued')
            or exists (
              select 1
              from attempt l
              where l.tenant_id = a.tenant_id
                and l.job_id = a.job_id
                and l.number > a.number
                and l.outcome = 'failed'
                and l.unconfirmed_at is not null) as counted
      from attempt a
      where a.tenant_id = :tenant
        and a.job_id = :job
        and a.provider = :provider
        and (a.unconfirmed_at is not null
          or (a.reference is null and a.outcome in ('lease_lost', 'requeued', 'expired')))
      order by a.number desc
      """;

  /**
   * Who gives a call back has not sent it. A later failure has told whoever retries the job, who
   * decided about it.
   */
  private static final String CALLED =
      """
      select count(*) as without_answer,
          count(*) filter (where a.outcome in ('lease_lost', 'expired')
            and not exists (
              select 1
              from attempt l
              where l.tenant_id = a.tenant_id
                and l.job_id = a.job_id
                and l.number > a.number
                and l.outcome = 'failed')) as unanswered
      from attempt a
      where a.tenant_id = :tenant
        and a.job_id = :job
        and a.provider = :provider
        and (a.unconfirmed_at is not null
          or (a.reference is null and a.outcome in ('lease_lost', 'requeued', 'expired')))
      """;

  private static final String TOKEN =
      """
      select token
      from attempt
      where tenant_id = :tenant
        and job_id = :job
        and number = :attempt
        and provider = :provider
      """;

  private static final String INTENDED =
      """
      select intent_at
      from attempt
      where tenant_id = :tenant
        and job_id = :job
        and number = :attempt
      """;

  private static final String HEARD =
      """
      select reference
      from inbox
      where provider = :provider
        and intent = :intent
        and verdict = 'waiting'
      order by received_at
      limit 1
      """;

  private final Jdbi jdbi;

  Intents(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** Attempts that this provider may have taken without a clear answer, the newest first. */
  public List<IntentView> unheard(JobId job, String provider) {
    return jdbi.withHandle(handle ->
        at(handle.createQuery(UNHEARD), job)
            .bind("provider", provider)
            .map(RecordMapper.of(IntentView.class))
            .list());
  }

  /** The attempts of a job at a provider that can't be asked for its calls. */
  public EarlierCalls called(JobId job, String provider) {
    return jdbi.withHandle(handle ->
        at(handle.createQuery(CALLED), job)
            .bind("provider", provider)
            .map(RecordMapper.of(EarlierCalls.class))
            .one());
  }

  /** The token of an attempt that was meant for this provider. */
  public Optional<UUID> token(JobId job, int attempt, String provider) {
    return jdbi.withHandle(handle ->
        at(handle.createQuery(TOKEN), job)
            .bind("attempt", attempt)
            .bind("provider", provider)
            .mapTo(UUID.class)
            .findOne());
  }

  /** When the intent to hand this attempt over was stored. */
  public Optional<Instant> intendedAt(JobId job, int attempt) {
    return jdbi.withHandle(handle ->
        at(handle.createQuery(INTENDED), job)
            .bind("attempt", attempt)
            .mapTo(Instant.class)
            .findOne());
  }

  /** The reference that a callback names which knows this intent. */
  public Optional<String> heardOf(String provider, String intent) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(HEARD)
            .bind("provider", provider)
            .bind("intent", intent)
            .mapTo(String.class)
            .findOne());
  }

  private static <S extends SqlStatement<S>> S at(S statement, JobId job) {
    return statement.bind("tenant", job.tenant()).bind("job", job.uuid());
  }
}
