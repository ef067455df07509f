package dev.millrace.service.access;

import dev.millrace.postgres.tenants.Audit;
import dev.millrace.postgres.tenants.KeyView;
import dev.millrace.postgres.tenants.TenantView;
import dev.millrace.postgres.tenants.Visibility;
import org.jspecify.annotations.Nullable;

/**
 * Who is asking.
 *
 * @param home the tenant whose things are asked for
 */
public record Principal(TenantView home, Credential credential, Role role, Bounds bounds) {

  /** The user whose things are looked at when a request names none. */
  public static final String DEFAULT_USER = "default";

  /** Whoever has this key. */
  public static Principal of(KeyView key, TenantView home) {
    return new Principal(
        home,
        new Credential(Credential.Kind.KEY, key.id(), key.prefix()),
        Role.ofLabel(key.role()).orElseThrow(),
        Bounds.stored(key.bounds()));
  }

  public int tenant() {
    return home.id();
  }

  public String tenantSlug() {
    return home.slug();
  }

  /** The one user that it acts for, or null for any. */
  public @Nullable String user() {
    return bounds.user();
  }

  public boolean may(Scope scope) {
    return role.includes(scope.least()) && bounds.allow(scope);
  }

  /** Whose rows it may see. */
  public Visibility visibility() {
    return new Visibility(home.id(), bounds.user(), bounds.workspace());
  }

  /** A line for the audit of the tenant, in this principal's name. */
  public Audit.Line audit(String action, String target, @Nullable String detail) {
    return new Audit.Line(tenant(), actor(), action, target, detail);
  }

  /** A line about what all tenants share, which operators read. */
  public Audit.Line installationAudit(String action, String target, @Nullable String detail) {
    return new Audit.Line(tenant(), actor(), action, target, detail, true);
  }

  /** How the audit names this principal. */
  public String actor() {
    return credential.actor();
  }
}
