package dev.millrace.web.api.admin;

import dev.millrace.postgres.tenants.TenantView;
import dev.millrace.service.jobs.JobRequest;
import dev.millrace.web.api.request.Body;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Reads what a body or a form says about a tenant. */
public final class TenantReader {

  private static final Pattern SLUG = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");
  private static final int MOST_ACTIVE = 1_000_000;
  private static final int MOST_DAILY = 1_000_000_000;
  private static final int MOST_REQUESTS = 1_000_000;

  private TenantReader() {}

  /** A tenant that is to be made. */
  public record NewTenant(String slug, String name) {}

  public static NewTenant newTenant(ObjectNode fields) {
    Body body = Body.of(fields, "slug", "name");
    String slug = body.text("slug");
    if (!slug.isEmpty() && !SLUG.matcher(slug).matches()) {
      body.wrong("slug", "must be 1 to 63 small letters, digits and dashes");
    }
    @Nullable String name = body.textOrNull("name");
    body.requireGood();
    return new NewTenant(slug, Objects.requireNonNullElse(name, slug));
  }

  /** What is left out is what is usual. */
  public static TenantView.Limits limits(ObjectNode fields) {
    Body body =
        Body.of(
            fields,
            "active_jobs",
            "daily_jobs",
            "priority",
            "storage_bytes",
            "user_storage_bytes",
            "requests_per_minute",
            "tenant_requests_per_minute",
            "burst");
    @Nullable Long burst = body.numberOrNull("burst", 1, MOST_REQUESTS);
    TenantView.Limits wanted =
        new TenantView.Limits(
            body.countOrNull("active_jobs", MOST_ACTIVE),
            body.countOrNull("daily_jobs", MOST_DAILY),
            body.countOrNull("priority", JobRequest.HIGHEST_PRIORITY),
            body.numberOrNull("storage_bytes", 0, LimitRoutes.MOST_BYTES),
            body.numberOrNull("user_storage_bytes", 0, LimitRoutes.MOST_BYTES),
            body.countOrNull("requests_per_minute", MOST_REQUESTS),
            body.countOrNull("tenant_requests_per_minute", MOST_REQUESTS),
            burst == null ? null : burst.intValue());
    body.requireGood();
    return wanted;
  }
}
