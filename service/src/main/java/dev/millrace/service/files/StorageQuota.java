package dev.millrace.service.files;

import dev.millrace.postgres.files.StorageUse;
import dev.millrace.postgres.files.StorageUse.Full;
import dev.millrace.postgres.files.StorageUse.Limits;
import dev.millrace.postgres.files.StorageUse.Whose;
import dev.millrace.postgres.tenants.TenantView;
import dev.millrace.service.access.SharedLookups;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * How many bytes tenants and their users may store, and how many they have stored. An upload is
 * judged under locks and never goes beyond a limit. A submit is refused while its user or tenant
 * has no room left; a user's bytes are known exactly then, those of a tenant as they were some
 * seconds ago. What jobs make is always stored.
 */
public final class StorageQuota {

  /** As long as the sum over all users of a tenant is remembered, which is expensive. */
  private static final Duration MEMORY = Duration.ofSeconds(3);

  private static final int MOST_REMEMBERED = 10_000;

  private final StorageUse uses;
  private final IntFunction<TenantView.Limits> tenants;
  private final Limits usual;
  private final SharedLookups<Long> sums;

  /**
   * Makes the quota.
   *
   * @param tenants what was set for a tenant
   * @param usual where nothing was
   */
  public StorageQuota(StorageUse uses, IntFunction<TenantView.Limits> tenants, Limits usual) {
    this.uses = uses;
    this.tenants = tenants;
    this.usual = usual;
    this.sums =
        new SharedLookups<>(
            MEMORY, MOST_REMEMBERED, tenant -> uses.ofTenant(Integer.parseInt(tenant)));
  }

  /** What counts for a tenant and those of its users for whom nothing else was set. */
  public Limits limits(int tenant) {
    TenantView.Limits own = tenants.apply(tenant);
    return new Limits(
        own.storageBytes() == null ? usual.tenant() : own.storageBytes(),
        own.userStorageBytes() == null ? usual.user() : own.userStorageBytes());
  }

  /** The tenant's limit, if it leaves no room for another result. */
  public Optional<Full> tenantFull(int tenant) {
    long limit = limits(tenant).tenant();
    if (limit == 0) {
      return Optional.empty();
    }
    long used = sums.get(Integer.toString(tenant));
    return used < limit ? Optional.empty() : Optional.of(new Full(Whose.TENANT, used, limit));
  }

  /**
   * So many bytes are stored.
   *
   * @param limit so many may be; 0 for any number
   */
  public record Level(long used, long limit) {

    /** Whether there is no room for another result. */
    public boolean full() {
      return limit > 0 && used >= limit;
    }
  }

  public Level ofUser(int tenant, String user) {
    StorageUse.OfUser mine = uses.ofUser(tenant, user);
    return new Level(mine.used(), mine.limit(limits(tenant).user()));
  }

  public Level ofTenant(int tenant) {
    return new Level(uses.ofTenant(tenant), limits(tenant).tenant());
  }

  /** A user and what is stored for him. */
  public record Holder(String user, Level level) {}

  /** Those users of a tenant who have stored most. */
  public List<Holder> largest(int tenant, int limit) {
    long usually = limits(tenant).user();
    return uses.largest(tenant, limit).stream()
        .map(one -> new Holder(one.user(), new Level(one.used(), one.limit(usually))))
        .toList();
  }
}
