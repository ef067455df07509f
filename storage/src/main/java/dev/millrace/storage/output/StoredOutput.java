package dev.millrace.storage.output;

import dev.millrace.storage.picture.Previews.Preview;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a {@code file} row needs to know of an output.
 *
 * @param name clean enough for a download
 * @param sha256 in lower-case hexadecimal
 * @param preview of a picture that can be read here
 */
public record StoredOutput(
    UUID fileId,
    String key,
    String name,
    String mediaType,
    long size,
    String sha256,
    Preview preview) {

  public @Nullable Integer width() {
    return preview.width();
  }

  public @Nullable Integer height() {
    return preview.height();
  }

  public @Nullable String thumbnailKey() {
    return preview.thumbnailKey();
  }
}
