package dev.millrace.postgres.tenants;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A short-lived token of one user, of which only the hash is stored.
 *
 * @param keyId the key that made it
 */
public record UserTokenView(
    int tenantId, UUID id, UUID keyId, String prefix, Bounds bounds, Jobs jobs, Times times) {

  /**
   * What it is good for.
   *
   * @param workspace the only one it knows; null for any
   * @param effects the slugs of what it may ask for; null for all
   * @param scopes the labels of what it may do
   */
  public record Bounds(
      String userId,
      @Nullable String workspace,
      @Nullable List<String> effects,
      List<String> scopes) {}

  /**
   * How many jobs.
   *
   * @param mostJobs may be submitted with it; null for no bound of its own
   * @param usedJobs were submitted
   */
  public record Jobs(@Nullable Integer mostJobs, int usedJobs) {}

  /**
   * Its life.
   *
   * @param endsAt when it ends by itself
   * @param endedAt when somebody ended it, or null
   */
  public record Times(Instant createdAt, Instant endsAt, @Nullable Instant endedAt) {}
}
