package dev.millrace.storage.output;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a {@code file} row needs to know of an output.
 *
 * @param name clean enough for a download
 * @param sha256 in lower-case hexadecimal
 * @param width in pixels, if it is a picture that can be read here
 */
public record StoredOutput(
    UUID fileId,
    String key,
    String name,
    String mediaType,
    long size,
    String sha256,
    @Nullable Integer width,
    @Nullable Integer height,
    @Nullable String thumbnailKey) {}
