package dev.millrace.service.access;

import dev.millrace.postgres.tenants.Audit;
import dev.millrace.postgres.tenants.KeyView;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who is asking.
 *
 * @param user the one end user the key is bound to, or null if it may act for any of its tenant's
 */
public record Principal(
    int tenant, String tenantSlug, UUID keyId, String keyPrefix, Role role, @Nullable String user) {

  /** The user whose things are looked at when a request names none. */
  public static final String DEFAULT_USER = "default";

  /** Whoever has this key. */
  public static Principal of(KeyView key, String tenantSlug) {
    return new Principal(
        key.tenantId(),
        tenantSlug,
        key.id(),
        key.prefix(),
        Role.ofLabel(key.role()).orElseThrow(),
        key.userId());
  }

  /** A line for the audit, in this principal's name. */
  public Audit.Line audit(String action, String target, @Nullable String detail) {
    return new Audit.Line(tenant, actor(), action, target, detail);
  }

  /** How the audit names this principal. */
  public String actor() {
    return "key:" + keyPrefix;
  }

  /** Whose rows the key may see: one user's, or null for the whole tenant's. */
  public @Nullable String onlyUser() {
    return user;
  }
}
