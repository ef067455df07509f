package dev.millrace.storage.picture;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a picture's header told, and a small version of it if one could be made.
 *
 * @param width of the original, in pixels
 * @param height of the original, in pixels
 */
public record Picture(int width, int height, @Nullable Thumbnail small) {

  public Optional<Thumbnail> thumbnail() {
    return Optional.ofNullable(small);
  }
}
