package dev.millrace.postgres.money;

import dev.millrace.postgres.records.RecordMapper;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Looks at balances and ledgers. */
public final class Wallets {

  private static final String BALANCE =
      """
      select w.balance,
          coalesce((
              select sum(j.held)
              from job j
              where j.wallet_id = w.id
                and j.hold_open), 0) as reserved
      from wallet w
      where w.tenant_id = :tenant
        and w.user_id = :user
      """;

  private static final String LEDGER =
      """
      select l.id, l.type, l.amount, l.captured, l.balance_after, l.job_id, l.funding_seq,
          l.note, l.at
      from ledger l
      join wallet w on w.id = l.wallet_id
      where w.tenant_id = :tenant
        and w.user_id = :user
        and l.id < :before
      order by l.id desc
      limit :limit
      """;

  private static final String LINES_OF_JOB =
      """
      select id, type, amount, captured, balance_after, job_id, funding_seq, note, at
      from ledger
      where tenant_id = :tenant
        and job_id = :job
      order by id
      """;

  private final Jdbi jdbi;

  public Wallets(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** What a user can spend, and what is reserved for jobs that have not ended. */
  public record Balance(long balance, long reserved) {
    static final Balance NOTHING = new Balance(0, 0);
  }

  /** A user who never paid or asked for anything has nothing. */
  public Balance balance(int tenant, String user) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(BALANCE)
            .bind("tenant", tenant)
            .bind("user", user)
            .map(RecordMapper.of(Balance.class))
            .findOne()
            .orElse(Balance.NOTHING));
  }

  /**
   * The newest lines first.
   *
   * @param before the last id of the page before, or null
   */
  public List<LedgerView> ledger(int tenant, String user, @Nullable Long before, int limit) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(LEDGER)
            .bind("tenant", tenant)
            .bind("user", user)
            .bind("before", before == null ? Long.MAX_VALUE : before)
            .bind("limit", limit)
            .map(RecordMapper.of(LedgerView.class))
            .list());
  }

  public List<LedgerView> linesOfJob(int tenant, UUID job) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(LINES_OF_JOB)
            .bind("tenant", tenant)
            .bind("job", job)
            .map(RecordMapper.of(LedgerView.class))
            .list());
  }
}
