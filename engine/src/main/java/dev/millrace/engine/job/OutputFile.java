package dev.millrace.engine.job;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An output whose existence, size and checksum were verified.
 *
 * @param sha256 in hexadecimal
 * @param width of a picture, in pixels
 * @param text the content itself, if it is to be kept with the job; null if it is stored already
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
    @Nullable String thumbnailKey,
    @Nullable String text) {

  /** One that is stored already. */
  public OutputFile(
      UUID id,
      String key,
      String name,
      String mediaType,
      long size,
      String sha256,
      @Nullable Integer width,
      @Nullable Integer height,
      @Nullable String thumbnailKey) {
    this(id, key, name, mediaType, size, sha256, width, height, thumbnailKey, null);
  }
}
