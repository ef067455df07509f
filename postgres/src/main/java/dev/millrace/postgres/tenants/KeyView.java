package dev.millrace.postgres.tenants;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An API key, of which only the hash is stored. */
public record KeyView(
    int tenantId, UUID id, String name, String prefix, String role, Bounds bounds, Times times) {

  /**
   * What it is bound to; null for no bound.
   *
   * @param userId the one user it may act for
   * @param effects the slugs of what it may ask for
   * @param scopes the labels of what it may do
   */
  public record Bounds(
      @Nullable String userId,
      @Nullable String workspace,
      @Nullable List<String> effects,
      @Nullable List<String> scopes) {
    public static final Bounds NONE = new Bounds(null, null, null, null);
  }

  /**
   * Its life.
   *
   * @param endsAt when it ends by itself; null for never
   * @param replacedBy the key that it was rotated to, or null
   */
  public record Times(
      Instant createdAt,
      @Nullable Instant lastUsedAt,
      @Nullable Instant endsAt,
      @Nullable Instant revokedAt,
      @Nullable UUID replacedBy) {}
}
