package dev.millrace.postgres.removal;

import dev.millrace.postgres.records.RecordMapper;
import org.jdbi.v3.core.Jdbi;

/** How much a tenant has. */
public final class TenantContents {

  /** What is cheap to know: a row for each user, and one for each live job. */
  private static final String USE =
      """
      select w.users, w.balance, w.stored_bytes, l.live_jobs, l.held
      from (
          select count(*) as users,
              coalesce(sum(balance), 0) as balance,
              coalesce(sum(stored_bytes), 0) as stored_bytes
          from wallet
          where tenant_id = :tenant) w
      cross join (
          select count(*) as live_jobs,
              coalesce(sum(j.held), 0) as held
          from dispatch d
          join job j on j.tenant_id = d.tenant_id and j.id = d.job_id
          where d.tenant_id = :tenant) l
      """;

  private static final String COUNTS =
      """
      select
          (select count(*) from job where tenant_id = :tenant) as jobs,
          (select count(*)
           from wallet w
           join file f on f.wallet_id = w.id
           where w.tenant_id = :tenant
             and f.erased_at is null) as files,
          (select count(*)
           from api_key
           where tenant_id = :tenant
             and revoked_at is null
             and (ends_at is null or ends_at > clock_timestamp())) as keys,
          (select count(*) from webhook where tenant_id = :tenant) as webhooks
      """;

  private final Jdbi jdbi;

  public TenantContents(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * What a tenant uses now.
   *
   * @param held what its live jobs have reserved
   */
  public record Use(long users, long balance, long storedBytes, long liveJobs, long held) {}

  /** Everything else that would go with it; keys are those that work. */
  public record Counts(long jobs, long files, long keys, long webhooks) {}

  public Use use(int tenant) {
    return jdbi.withHandle(handle ->
        handle.createQuery(USE).bind("tenant", tenant).map(RecordMapper.of(Use.class)).one());
  }

  /** Reads all of the tenant's jobs and files, so it is for whoever asks about a removal. */
  public Counts counts(int tenant) {
    return jdbi.withHandle(handle ->
        handle.createQuery(COUNTS).bind("tenant", tenant).map(RecordMapper.of(Counts.class)).one());
  }
}
