package dev.millrace.postgres.files;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A file that a user brings, from the wish on. Its key stays on the server.
 *
 * @param expiresAt until when it may be brought; null once it is ready
 */
public record UploadView(
    UUID id,
    String key,
    Content content,
    UploadState state,
    Parts parts,
    Instant createdAt,
    @Nullable Instant expiresAt) {

  /**
   * What it is.
   *
   * @param sha256 what was announced, or found; null if neither
   */
  public record Content(String name, String mediaType, long size, @Nullable String sha256) {}

  /**
   * How it comes, if it comes in parts.
   *
   * @param uploadId the store's name for the upload; null if it comes whole, or is ready
   * @param partBytes the size of all parts but the last; null like {@code uploadId}
   */
  public record Parts(@Nullable String uploadId, @Nullable Long partBytes) {}
}
