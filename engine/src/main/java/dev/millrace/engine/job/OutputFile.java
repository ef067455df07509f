package dev.millrace.engine.job;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An output whose existence, size and checksum were verified.
 *
 * @param text the content itself, if it is to be kept with the job; null if it is stored already
 */
public record OutputFile(
    UUID id, String key, String name, Content content, Picture picture, @Nullable String text) {

  /**
   * What is in it.
   *
   * @param sha256 in hexadecimal
   */
  public record Content(String mediaType, long size, String sha256) {}

  /**
   * How it looks, as far as it is a picture or has one.
   *
   * @param width in pixels
   */
  public record Picture(
      @Nullable Integer width, @Nullable Integer height, @Nullable String thumbnailKey) {
    public static final Picture NONE = new Picture(null, null, null);
  }

  public String mediaType() {
    return content.mediaType;
  }

  public long size() {
    return content.size;
  }

  public String sha256() {
    return content.sha256;
  }

  public @Nullable Integer width() {
    return picture.width;
  }

  public @Nullable Integer height() {
    return picture.height;
  }

  public @Nullable String thumbnailKey() {
    return picture.thumbnailKey;
  }
}
