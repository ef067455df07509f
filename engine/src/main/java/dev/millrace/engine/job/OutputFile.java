package dev.millrace.engine.job;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A stored output whose existence, size and checksum were verified.
 *
 * @param sha256 in hexadecimal
 * @param width of a picture, in pixels
 */
public record OutputFile(
    UUID id,
    String key,
    String name,
    String mediaType,
    long size,
    String sha256,
    @Nullable Integer width,
    @Nullable Integer height,
    @Nullable String thumbnailKey) {}
