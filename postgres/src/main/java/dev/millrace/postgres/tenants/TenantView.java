package dev.millrace.postgres.tenants;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A customer.
 *
 * @param slug how it is named in addresses and requests; it never changes
 */
public record TenantView(int id, String slug, String name, Standing standing, Limits limits) {

  /**
   * Since when it is there, and whether it is let in.
   *
   * @param suspendedAt since when nobody of it is let in; null if all are
   * @param removingAt since when all that it has is being removed; null if it is not
   * @param removedAt when nothing was left of it but its slug; null if something is
   */
  public record Standing(
      Instant createdAt,
      @Nullable Instant suspendedAt,
      @Nullable Instant removingAt,
      @Nullable Instant removedAt) {

    /** Of one that nobody wants removed. */
    public Standing(Instant createdAt, @Nullable Instant suspendedAt) {
      this(createdAt, suspendedAt, null, null);
    }
  }

  /**
   * How much it may have. Null is what is usual in this installation.
   *
   * @param activeJobs live jobs of a user
   * @param dailyJobs jobs of a user in a day
   * @param priority the highest that its admins may ask for; null for 0, which is everybody's
   * @param storageBytes of files of the tenant; 0 for any number
   * @param userStorageBytes of files of a user; 0 for any number
   * @param requestsPerMinute of one key or token; 0 for any number
   * @param tenantRequestsPerMinute of all its keys and tokens together; 0 for any number
   * @param burst what a key or token that has been quiet may ask at once
   */
  public record Limits(
      @Nullable Integer activeJobs,
      @Nullable Integer dailyJobs,
      @Nullable Integer priority,
      @Nullable Long storageBytes,
      @Nullable Long userStorageBytes,
      @Nullable Integer requestsPerMinute,
      @Nullable Integer tenantRequestsPerMinute,
      @Nullable Integer burst) {
    public static final Limits USUAL = new Limits(null, null, null, null, null, null, null, null);
  }

  public boolean suspended() {
    return standing.suspendedAt() != null;
  }
}
