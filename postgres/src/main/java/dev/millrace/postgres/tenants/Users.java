package dev.millrace.postgres.tenants;

import dev.millrace.postgres.records.RecordMapper;
import java.time.Instant;
import java.util.List;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** A tenant's users: whoever has a wallet. */
public final class Users {

  /**
   * In the order of their bytes, so that those with a prefix are a stretch of one index. What is
   * reserved is looked for among a user's newest jobs, and only until all his live ones are found.
   */
  private static final String LIST =
      """
      select w.user_id, w.balance, w.active as live_jobs, w.stored_bytes, w.created_at,
          coalesce(h.held, 0) as held,
          greatest(w.created_at, n.created_at) as last_seen_at
      from wallet w
      left join lateral (
          select sum(held) as held
          from (
              select j.held
              from job j
              where j.wallet_id = w.id
                and j.hold_open
              order by j.id desc
              limit w.active) open) h on w.active > 0
      left join lateral (
          select j.created_at
          from job j
          where j.wallet_id = w.id
          order by j.id desc
          limit 1) n on true
      where w.tenant_id = :tenant
        and w.user_id collate "C" > :after
        and w.user_id collate "C" >= :prefix
        and w.user_id collate "C" <= :prefix || chr(1114111)
        and starts_with(w.user_id, :prefix)
      order by w.user_id collate "C"
      limit :limit
      """;

  private final Jdbi jdbi;

  public Users(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * A user.
   *
   * @param held what his live jobs have reserved
   * @param storedBytes null for a wallet for which nobody has counted yet
   * @param lastSeenAt when he last asked for a job, or was first heard of
   */
  public record Standing(
      String userId,
      long balance,
      long held,
      int liveJobs,
      @Nullable Long storedBytes,
      Instant createdAt,
      Instant lastSeenAt) {}

  /**
   * The users of a tenant.
   *
   * @param prefix what their ids begin with; empty for all
   * @param after the last one of the page before, or empty
   */
  public List<Standing> list(int tenant, String prefix, String after, int limit) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(LIST)
            .bind("tenant", tenant)
            .bind("prefix", prefix)
            .bind("after", after)
            .bind("limit", limit)
            .map(RecordMapper.of(Standing.class))
            .list());
  }
}
