package dev.millrace.postgres.money;

import dev.millrace.postgres.records.RecordMapper;
import dev.millrace.postgres.tenants.Audit;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** What an administrator allows one user, and how much of it is used. */
public final class WalletLimits {

  private static final String STANDING =
      """
      active_limit as active_jobs,
          daily_limit as daily_jobs,
          storage_limit as storage_bytes,
          active as active_now,
          case
              when day = floor(extract(epoch from clock_timestamp()) / 86400) then today
              else 0
          end as today\
      """;

  private static final String FIND =
      """
      select %s
      from wallet
      where tenant_id = :tenant
        and user_id = :user
      """
          .formatted(STANDING);

  private static final String ENSURE =
      """
      insert into wallet (tenant_id, user_id)
      values (:tenant, :user)
      on conflict do nothing
      """;

  /** Nothing else of the row: balance and counts belong to whoever settles. */
  private static final String SET =
      """
      update wallet
      set active_limit = :active,
          daily_limit = :daily,
          storage_limit = :storage
      where tenant_id = :tenant
        and user_id = :user
      returning %s
      """
          .formatted(STANDING);

  private final Jdbi jdbi;

  public WalletLimits(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * A user's limits and counts.
   *
   * @param activeJobs live jobs at once; 0 for any number, null for what is usual
   * @param dailyJobs jobs in a UTC day; 0 for any number, null for what is usual
   * @param storageBytes of files; 0 for any number, null for what is usual
   */
  public record Standing(
      @Nullable Integer activeJobs,
      @Nullable Integer dailyJobs,
      @Nullable Long storageBytes,
      int activeNow,
      int today) {
    static final Standing UNKNOWN = new Standing(null, null, null, 0, 0);
  }

  public Standing find(int tenant, String user) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(FIND)
            .bind("tenant", tenant)
            .bind("user", user)
            .map(RecordMapper.of(Standing.class))
            .findOne()
            .orElse(Standing.UNKNOWN));
  }

  /** Sets all limits of the line's user; makes the wallet of a user who has none yet. */
  public Standing set(
      @Nullable Integer active, @Nullable Integer daily, @Nullable Long storage, Audit.Line line) {
    return jdbi.inTransaction(handle -> {
      int tenant = line.tenant();
      String user = line.target();
      handle.createUpdate(ENSURE).bind("tenant", tenant).bind("user", user).execute();
      Audit.write(handle, line);
      return handle
          .createQuery(SET)
          .bind("tenant", tenant)
          .bind("user", user)
          .bind("active", active)
          .bind("daily", daily)
          .bind("storage", storage)
          .map(RecordMapper.of(Standing.class))
          .one();
    });
  }
}
