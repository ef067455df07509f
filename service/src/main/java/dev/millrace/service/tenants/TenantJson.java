package dev.millrace.service.tenants;

import dev.millrace.postgres.tenants.TenantView;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A tenant as JSON: the same in an archive as in the API. */
public final class TenantJson {

  private TenantJson() {}

  public static ObjectNode of(TenantView tenant) {
    TenantView.Standing standing = tenant.standing();
    ObjectNode json =
        JsonMapper.shared()
            .createObjectNode()
            .put("slug", tenant.slug())
            .put("name", tenant.name())
            .put("created_at", text(standing.createdAt()))
            .put("suspended_at", text(standing.suspendedAt()))
            .put("removing_at", text(standing.removingAt()))
            .put("removed_at", text(standing.removedAt()));
    json.set("limits", of(tenant.limits()));
    return json;
  }

  /** What was set; null is what is usual. */
  public static ObjectNode of(TenantView.Limits limits) {
    return JsonMapper.shared()
        .createObjectNode()
        .put("active_jobs", limits.activeJobs())
        .put("daily_jobs", limits.dailyJobs())
        .put("priority", limits.priority())
        .put("storage_bytes", limits.storageBytes())
        .put("user_storage_bytes", limits.userStorageBytes())
        .put("requests_per_minute", limits.requestsPerMinute())
        .put("tenant_requests_per_minute", limits.tenantRequestsPerMinute())
        .put("burst", limits.burst());
  }

  private static @Nullable String text(@Nullable Object value) {
    return value == null ? null : value.toString();
  }
}
