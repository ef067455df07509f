package dev.millrace.service.jobs;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Many jobs of one user, checked for their form only.
 *
 * @param key the user's idempotency key for the whole, or null
 * @param atomic whether one refusal refuses all
 * @param fingerprint of the whole as it was sent
 */
public record BatchRequest(
    String user, @Nullable String key, boolean atomic, String fingerprint, List<Item> items) {

  public BatchRequest {
    items = List.copyOf(items);
  }

  /**
   * One of them.
   *
   * @param sound false if its form is wrong, so that it can't be submitted
   * @param retryOf the job that it does again, or null
   */
  public record Item(JobRequest request, boolean sound, @Nullable UUID retryOf) {}
}
