package dev.millrace.postgres.outside;

import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.records.RecordMapper;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** What lies at outside providers, and what came back from them too late. It only looks. */
public final class ProviderWork {

  private static final String STANDING =
      """
      with work as (
          select provider,
              count(*) filter (where state = 'submitted') as submitted,
              count(*) filter (where state = 'canceling') as canceling,
              min(ask_at) filter (where ask_at < 'infinity') as next_ask_at
          from dispatch
          where provider is not null
          group by provider),
      heard as (
          select provider, count(*) as callbacks, min(received_at) as oldest_callback_at
          from inbox
          where verdict = 'waiting'
          group by provider)
      select coalesce(w.provider, h.provider) as provider,
          coalesce(w.submitted, 0) as submitted,
          coalesce(w.canceling, 0) as canceling,
          w.next_ask_at,
          coalesce(h.callbacks, 0) as callbacks,
          h.oldest_callback_at
      from work w
      full join heard h on h.provider = w.provider
      """;

  /** Only what can be adopted: the job ended without a result, and is still there. */
  private static final String LATE =
      """
      select l.job_id, l.number as attempt, a.provider, e.slug as effect, w.user_id,
          j.state, j.held, jsonb_array_length(l.files) as files, l.received_at
      from late_result l
      join job j on j.tenant_id = l.tenant_id and j.id = l.job_id
      join wallet w on w.id = j.wallet_id
      join effect e on e.id = j.effect_id
      left join attempt a on a.tenant_id = l.tenant_id
          and a.job_id = l.job_id
          and a.number = l.number
      where l.tenant_id = :tenant
        and l.state = 'kept'
        and l.received_at >= :since
        and j.state in ('failed', 'dead_letter', 'expired')
        and j.deleted_at is null
      order by l.received_at desc
      limit :limit
      """;

  private final Jdbi jdbi;

  public ProviderWork(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * How much of all tenants' work is at one provider.
   *
   * @param nextAskAt when somebody asks about it next
   * @param callbacks calls whose work is not known yet
   */
  public record Standing(
      String provider,
      long submitted,
      long canceling,
      @Nullable Instant nextAskAt,
      long callbacks,
      @Nullable Instant oldestCallbackAt) {}

  /** A result that waits for somebody to want it. */
  public record Late(
      LateJob job, int attempt, @Nullable String provider, int files, Instant receivedAt) {}

  /**
   * The job that ended without its result.
   *
   * @param held what it would hold again
   */
  public record LateJob(UUID jobId, String effect, String userId, State state, long held) {}

  public List<Standing> standing() {
    return jdbi.withHandle(
        handle -> handle.createQuery(STANDING).map(RecordMapper.of(Standing.class)).list());
  }

  /** The newest late results of a tenant's that can be adopted. */
  public List<Late> late(int tenant, Instant since, int limit) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(LATE)
            .bind("tenant", tenant)
            .bind("since", since)
            .bind("limit", limit)
            .map(RecordMapper.of(Late.class))
            .list());
  }
}
