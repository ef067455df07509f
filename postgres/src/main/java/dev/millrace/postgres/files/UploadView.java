package dev.millrace.postgres.files;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A file that a user brings, from the wish on. Its key stays on the server.
 *
 * @param sha256 what was announced, or found; null if neither
 * @param state {@code pending} or {@code ready}
 * @param uploadId the store's name for an upload in parts; null if it comes whole, or is ready
 * @param partBytes the size of all parts but the last; null like {@code uploadId}
 * @param expiresAt until when it may be brought; null once it is ready
 */
public record UploadView(
    UUID id,
    String key,
    String name,
    String mediaType,
    long size,
    @Nullable String sha256,
    String state,
    @Nullable String uploadId,
    @Nullable Long partBytes,
    Instant createdAt,
    @Nullable Instant expiresAt) {}
