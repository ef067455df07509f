package dev.millrace.storage.s3;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * Where in an S3-compatible store our objects are.
 *
 * @param endpoint null means Amazon's own for the region
 * @param publicEndpoint where everybody else reaches it; null means at the same address
 * @param prefix what every name begins with; empty, or ending in a slash
 * @param pathStyle whether the bucket is the first step of the path, not a part of the host
 */
public record S3Place(
    @Nullable URI endpoint,
    @Nullable URI publicEndpoint,
    String region,
    String bucket,
    String prefix,
    boolean pathStyle) {

  public S3Place {
    if (!prefix.isEmpty() && !prefix.endsWith("/")) {
      prefix = prefix + "/";
    }
  }

  /** For messages to the operator. */
  String inWords() {
    return "the bucket %s at %s"
        .formatted(bucket, endpoint == null ? "Amazon S3 in " + region : endpoint);
  }

  String name(String key) {
    return prefix + key;
  }
}
