package dev.millrace.postgres.tenants;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A customer.
 *
 * @param slug how it is named in addresses and requests; it never changes
 * @param origins the web pages whose scripts may ask, as {@code https://app.example}
 */
public record TenantView(
    int id, String slug, String name, Standing standing, Limits limits, List<String> origins) {

  public TenantView {
    origins = List.copyOf(origins);
  }

  /**
   * Since when it is there, and whether it is let in.
   *
   * @param suspendedAt since when nobody of it is let in; null if all are
   * @param removingAt since when its data is being removed, which can't be stopped
   */
  public record Standing(
      Instant createdAt, @Nullable Instant suspendedAt, @Nullable Instant removingAt) {}

  /**
   * How much it may have. Null is what is usual in this installation.
   *
   * @param requestsPerMinute of the whole tenant together; null for no limit
   * @param burst how many requests at once of the whole tenant
   * @param activeJobs live jobs of a user
   * @param dailyJobs jobs of a user in a day
   * @param storageBytes files of the whole tenant; null for no limit
   * @param userStorageBytes files of one user; null for no limit
   * @param priority the highest that it may ask for; null for 0, which is everybody's
   */
  public record Limits(
      @Nullable Integer requestsPerMinute,
      @Nullable Integer burst,
      @Nullable Integer activeJobs,
      @Nullable Integer dailyJobs,
      @Nullable Long storageBytes,
      @Nullable Long userStorageBytes,
      @Nullable Integer priority) {
    public static final Limits USUAL = new Limits(null, null, null, null, null, null, null);
  }

  public boolean suspended() {
    return standing.suspendedAt() != null;
  }
}
