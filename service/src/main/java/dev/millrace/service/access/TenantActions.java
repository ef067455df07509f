package dev.millrace.service.access;

import dev.millrace.engine.money.QuotaUse;
import dev.millrace.postgres.tenants.KeyView;
import dev.millrace.postgres.tenants.Keys;
import dev.millrace.postgres.tenants.TenantView;
import dev.millrace.postgres.tenants.Tenants;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** What an operator does with tenants. Each act is a line in the audit that operators read. */
public final class TenantActions implements IntFunction<QuotaUse.Limits> {

  /** As long as other limits may still hold on this node. */
  private static final Duration MEMORY = Duration.ofSeconds(5);

  private static final int MOST_REMEMBERED = 10_000;

  private final Tenants tenants;
  private final Keys keys;
  private final QuotaUse.Limits usual;
  private final SharedLookups<TenantView.Limits> limits;

  /**
   * @param usual what a user may have where the tenant says nothing
   */
  public TenantActions(Tenants tenants, Keys keys, QuotaUse.Limits usual) {
    this.tenants = tenants;
    this.keys = keys;
    this.usual = usual;
    this.limits = new SharedLookups<>(MEMORY, MOST_REMEMBERED, this::look);
  }

  public List<TenantView> list(@Nullable String part, @Nullable String after, int limit) {
    return tenants.list(part, after, limit);
  }

  public Optional<TenantView> find(String slug) {
    return tenants.find(slug);
  }

  /** A new tenant and the secret of its first admin's key. */
  public record Made(TenantView tenant, KeyView key, String secret) {

    @Override
    public String toString() {
      return "Made[" + tenant.slug() + "]";
    }
  }

  /** Makes a tenant; empty if there is one of this slug, which is never given away again. */
  public Optional<Made> make(Principal by, String slug, String name) {
    return tenants
        .add(slug, name, by.installationAudit("tenant.create", slug, null))
        .map(tenant -> {
          ApiKey key = ApiKey.random();
          ApiKeys.Wish wish = new ApiKeys.Wish("first admin", Role.ADMIN, Bounds.NONE, null);
          return new Made(tenant, keys.add(ApiKeys.row(tenant.id(), key, wish)), key.text());
        });
  }

  /** Sets how much a tenant may have; null is what is usual. */
  public Optional<TenantView> limit(Principal by, String slug, TenantView.Limits wanted) {
    String detail =
        JsonMapper.shared()
            .createObjectNode()
            .put("active_jobs", wanted.activeJobs())
            .put("daily_jobs", wanted.dailyJobs())
            .put("priority", wanted.priority())
            .put("storage_bytes", wanted.storageBytes())
            .put("user_storage_bytes", wanted.userStorageBytes())
            .put("requests_per_minute", wanted.requestsPerMinute())
            .put("tenant_requests_per_minute", wanted.tenantRequestsPerMinute())
            .put("burst", wanted.burst())
            .toString();
    Optional<TenantView> changed =
        tenants.limit(slug, wanted, by.installationAudit("tenant.limits", slug, detail));
    changed.ifPresent(tenant -> limits.forget(Integer.toString(tenant.id())));
    return changed;
  }

  /** Nobody of the tenant is let in any more; what it asked for before still runs. */
  public Optional<TenantView> suspend(Principal by, String slug) {
    return tenants.suspend(slug, true, by.installationAudit("tenant.suspend", slug, null));
  }

  public Optional<TenantView> resume(Principal by, String slug) {
    return tenants.suspend(slug, false, by.installationAudit("tenant.resume", slug, null));
  }

  /** What is usual for a user of this tenant. */
  @Override
  public QuotaUse.Limits apply(int tenant) {
    TenantView.Limits own = limits(tenant);
    return new QuotaUse.Limits(
        own.activeJobs() == null ? usual.active() : own.activeJobs(),
        own.dailyJobs() == null ? usual.daily() : own.dailyJobs(),
        own.userStorageBytes() == null ? usual.storage() : own.userStorageBytes());
  }

  /** What was set for this tenant. */
  public TenantView.Limits limits(int tenant) {
    return limits.get(Integer.toString(tenant));
  }

  private TenantView.Limits look(String tenant) {
    return tenants.get(Integer.parseInt(tenant)).limits();
  }
}
