package dev.millrace.postgres.tenants;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An API key, of which only the hash is stored.
 *
 * @param userId the one user the key may act for, or null for any of its tenant's
 */
public record KeyView(
    int tenantId,
    UUID id,
    String name,
    String prefix,
    String role,
    @Nullable String userId,
    Times times) {

  public record Times(
      Instant createdAt, @Nullable Instant lastUsedAt, @Nullable Instant revokedAt) {}
}
