package dev.millrace.postgres.files;

import dev.millrace.postgres.records.RecordMapper;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * How many bytes users and tenants have stored: those of all files that are not deleted, and of
 * those that are still waited for, as announced. The database counts them in the wallet's row in
 * the transaction that writes the files.
 */
public final class StorageUse {

  /** Nobody has counted yet for wallets that are older than the count. */
  private static final String STORED =
      """
      coalesce(w.stored_bytes, (
          select coalesce(sum(f.size), 0)
          from file f
          where f.wallet_id = w.id
            and f.deleted_at is null))\
      """;

  private static final String OF_USER =
      """
      select w.user_id as user, %s as used, w.storage_limit as own_limit
      from wallet w
      where w.tenant_id = :tenant
        and w.user_id = :user
      """
          .formatted(STORED);

  /** Whoever has this lock is the only one who adds for the user, but for results of jobs. */
  private static final String LOCK_USER =
      """
      select 1
      from wallet
      where tenant_id = :tenant
        and user_id = :user
      for no key update
      """;

  private static final String OF_TENANT =
      """
      select coalesce(sum(%s), 0)
      from wallet w
      where w.tenant_id = :tenant
      """
          .formatted(STORED);

  /** Held to the end of the transaction, which is where the tenant's next upload waits. */
  private static final String LOCK_TENANT =
      """
      select pg_advisory_xact_lock(hashtextextended('millrace storage', :tenant))
      """;

  private static final String LARGEST =
      """
      select w.user_id as user, %s as used, w.storage_limit as own_limit
      from wallet w
      where w.tenant_id = :tenant
      order by used desc, w.user_id
      limit :limit
      """
          .formatted(STORED);

  private static final String UNCOUNTED =
      """
      select id
      from wallet
      where id > :after
        and stored_bytes is null
      order by id
      limit :limit
      """;

  private static final String LOCK_UNCOUNTED =
      """
      select 1
      from wallet
      where id = :id
        and stored_bytes is null
      for update
      """;

  /**
   * Under the row's lock, and as a statement of its own: it sees all that was added before, and
   * what is added later waits for the lock and adds to the count.
   */
  private static final String COUNT =
      """
      update wallet w
      set stored_bytes = %s
      where w.id = :id
      """
          .formatted(STORED);

  private final Jdbi jdbi;

  public StorageUse(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * What one user has stored.
   *
   * @param ownLimit what an admin set for this user; 0 for any number of bytes, null for what is
   *     usual
   */
  public record OfUser(String user, long used, @Nullable Long ownLimit) {

    /** The limit that counts; 0 for none. */
    public long limit(long usual) {
      return ownLimit == null ? usual : ownLimit;
    }
  }

  public OfUser ofUser(int tenant, String user) {
    return jdbi.withHandle(handle -> ofUser(handle, tenant, user));
  }

  public long ofTenant(int tenant) {
    return jdbi.withHandle(handle -> ofTenant(handle, tenant));
  }

  /** The users of a tenant who have stored most. */
  public List<OfUser> largest(int tenant, int limit) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(LARGEST)
            .bind("tenant", tenant)
            .bind("limit", limit)
            .map(RecordMapper.of(OfUser.class))
            .list());
  }

  /**
   * Counts for wallets that are older than the count.
   *
   * @param after the last wallet that was counted before, or 0
   * @return the last one that was counted now; empty if none is left
   */
  public Optional<Long> countOld(long after, int limit) {
    List<Long> wallets =
        jdbi.withHandle(handle ->
            handle
                .createQuery(UNCOUNTED)
                .bind("after", after)
                .bind("limit", limit)
                .mapTo(Long.class)
                .list());
    for (long wallet : wallets) {
      jdbi.useTransaction(handle -> {
        if (handle
            .createQuery(LOCK_UNCOUNTED)
            .bind("id", wallet)
            .mapTo(Integer.class)
            .findOne()
            .isPresent()) {
          handle.createUpdate(COUNT).bind("id", wallet).execute();
        }
      });
    }
    return wallets.isEmpty() ? Optional.empty() : Optional.of(wallets.getLast());
  }

  private static OfUser ofUser(Handle handle, int tenant, String user) {
    return handle
        .createQuery(OF_USER)
        .bind("tenant", tenant)
        .bind("user", user)
        .map(RecordMapper.of(OfUser.class))
        .findOne()
        .orElse(new OfUser(user, 0, null));
  }

  private static long ofTenant(Handle handle, int tenant) {
    return handle.createQuery(OF_TENANT).bind("tenant", tenant).mapTo(Long.class).one();
  }

  /**
   * What is in the way of so many bytes more. Until the transaction ends nobody else adds, but for
   * results of jobs, which are never refused. The tenant comes before the wallet, so that nobody
   * who holds a wallet waits for a tenant.
   */
  static Optional<Full> room(Handle handle, int tenant, String user, long bytes, Limits limits) {
    if (limits.tenant() > 0) {
      handle.createQuery(LOCK_TENANT).bind("tenant", (long) tenant).mapTo(String.class).list();
      long used = ofTenant(handle, tenant);
      if (used > limits.tenant() - bytes) {
        return Optional.of(new Full(Whose.TENANT, used, limits.tenant()));
      }
    }
    handle
        .createQuery(LOCK_USER)
        .bind("tenant", tenant)
        .bind("user", user)
        .mapTo(Integer.class)
        .list();
    OfUser mine = ofUser(handle, tenant, user);
    long limit = mine.limit(limits.user());
    return limit > 0 && mine.used() > limit - bytes
        ? Optional.of(new Full(Whose.USER, mine.used(), limit))
        : Optional.empty();
  }

  /**
   * How many bytes may be stored; 0 for any number.
   *
   * @param user of a user for whom nothing else was set
   */
  public record Limits(long tenant, long user) {
    public static final Limits NONE = new Limits(0, 0);
  }

  /** Whose limit it is. */
  public enum Whose {
    USER,
    TENANT
  }

  /** There is no room. */
  public record Full(Whose whose, long used, long limit) {}
}
