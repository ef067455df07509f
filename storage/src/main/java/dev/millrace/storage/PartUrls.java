package dev.millrace.storage;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Signed URLs for the parts of one object.
 *
 * @param partBytes of every part but the last
 * @param expiresAt when the first of the URLs ends
 */
public record PartUrls(long partBytes, Instant expiresAt, List<Part> parts) {

  public PartUrls {
    parts = List.copyOf(parts);
  }

  /** One part, and where to put it. */
  public record Part(int number, long size, SignedUrl url) {}

  /**
   * Signs URLs.
   *
   * @param numbers of the parts that are wanted, at least one, each in the plan
   */
  public static PartUrls of(
      ObjectStore store,
      String key,
      String uploadId,
      PartPlan plan,
      List<Integer> numbers,
      Duration ttl) {
    List<Part> parts = new ArrayList<>();
    for (int number : numbers) {
      long size = plan.sizeOf(number);
      SignedUrl url = store.parts().signedPut(new PartAddress(key, uploadId, number), size, ttl);
      parts.add(new Part(number, size, url));
    }
    return new PartUrls(plan.partBytes(), parts.getFirst().url().expiresAt(), parts);
  }
}
