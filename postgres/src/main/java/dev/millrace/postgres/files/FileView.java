package dev.millrace.postgres.files;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A stored file. Its key stays on the server.
 *
 * @param withheld true if a reviewer did not let it through
 * @param approved what a reviewer said of it while others of the result were open; null if nothing
 */
public record FileView(
    UUID id,
    @Nullable UUID jobId,
    String kind,
    String key,
    String name,
    String mediaType,
    long size,
    String sha256,
    @Nullable Integer width,
    @Nullable Integer height,
    @Nullable String thumbnailKey,
    boolean withheld,
    @Nullable Boolean approved,
    Instant createdAt) {}
