package dev.millrace.service.access;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What can be allowed: a group of calls, and the least role that has it. Every route and every page
 * names one, so this table is who may do what. A key can have fewer scopes than its role, and never
 * more.
 */
public enum Scope {
  EFFECTS_READ(Role.USER),
  JOBS_READ(Role.USER),
  JOBS_WRITE(Role.USER),
  FILES_READ(Role.USER),
  FILES_WRITE(Role.USER),
  WALLET_READ(Role.USER),
  /** Short-lived tokens for the browsers of users. */
  TOKENS_READ(Role.USER),
  TOKENS_WRITE(Role.USER),
  /** Signing in to the console. */
  CONSOLE_WRITE(Role.USER),

  REVIEWS_WRITE(Role.REVIEWER),

  /** Bulk tasks, retries in place, adopted results, and the tenant's overview. */
  TASKS_READ(Role.ADMIN),
  TASKS_WRITE(Role.ADMIN),
  /** The tenant's users, their wallets and their limits. */
  USERS_READ(Role.ADMIN),
  USERS_WRITE(Role.ADMIN),
  WEBHOOKS_READ(Role.ADMIN),
  WEBHOOKS_WRITE(Role.ADMIN),
  KEYS_READ(Role.ADMIN),
  KEYS_WRITE(Role.ADMIN),
  /** From where the pages of the tenant's products may ask. */
  ORIGINS_READ(Role.ADMIN),
  ORIGINS_WRITE(Role.ADMIN),
  AUDIT_READ(Role.ADMIN),

  TENANTS_READ(Role.OPERATOR),
  TENANTS_WRITE(Role.OPERATOR),
  FLEET_READ(Role.OPERATOR),
  FLEET_WRITE(Role.OPERATOR),
  QUEUES_READ(Role.OPERATOR),
  METRICS_READ(Role.OPERATOR),
  /** Reloading and checking the catalogue, and the pauses of what is in it. */
  CATALOGUE_WRITE(Role.OPERATOR),
  PROVIDERS_READ(Role.OPERATOR),
  DOCTOR_READ(Role.OPERATOR);

  private final Role least;

  Scope(Role least) {
    this.least = least;
  }

  /** The least role that has it. */
  public Role least() {
    return least;
  }

  /** As keys and documents name it, such as {@code jobs:read}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', ':');
  }

  public static Optional<Scope> ofLabel(String label) {
    return Arrays.stream(values()).filter(scope -> scope.label().equals(label)).findFirst();
  }

  /** All that a role has. */
  public static Set<Scope> of(Role role) {
    Set<Scope> all = EnumSet.noneOf(Scope.class);
    for (Scope scope : values()) {
      if (role.includes(scope.least)) {
        all.add(scope);
      }
    }
    return all;
  }
}
