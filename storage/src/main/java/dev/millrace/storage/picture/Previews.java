package dev.millrace.storage.picture;

import dev.millrace.storage.MediaType;
import dev.millrace.storage.ObjectKeys;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.ObjectStoreException;
import dev.millrace.storage.ObjectStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at stored pictures, and lays a thumbnail beside each. Nothing fails for want of one. */
public final class Previews {

  private static final Logger LOG = LoggerFactory.getLogger(Previews.class);

  private final ObjectStore store;
  private final Thumbnails thumbnails;

  public Previews(ObjectStore store, Thumbnails thumbnails) {
    this.store = store;
    this.thumbnails = thumbnails;
  }

  /**
   * What is known of a picture; nothing of other files, or of pictures that can't be read here.
   *
   * @param width in pixels
   */
  public record Preview(
      @Nullable Integer width, @Nullable Integer height, @Nullable String thumbnailKey) {

    public static final Preview NONE = new Preview(null, null, null);
  }

  /**
   * Looks at a stored object; a thumbnail that is there already is found again, and not made again.
   *
   * @param budget of the call, for all its pictures
   */
  public Preview of(String key, MediaType type, PictureBudget budget) {
    if (!type.essence().startsWith("image/") || budget.left().isZero()) {
      return Preview.NONE;
    }
    @Nullable String present = present(key);
    return look(key, type, present != null, budget)
        .map(picture ->
            new Preview(
                picture.width(),
                picture.height(),
                present != null
                    ? present
                    : picture.thumbnail().map(small -> putBeside(key, small)).orElse(null)))
        .orElseGet(() -> new Preview(null, null, present));
  }

  private @Nullable String present(String original) {
    try {
      for (MediaType type : List.of(MediaType.JPEG, MediaType.PNG)) {
        String key = ObjectKeys.thumbnail(original, type);
        if (store.size(key).isPresent()) {
          return key;
        }
      }
    } catch (RuntimeException e) {
      LOG.warn("can't look for a thumbnail beside {}", original, e);
    }
    return null;
  }

  private Optional<Picture> look(
      String key, MediaType type, boolean onlySize, PictureBudget budget) {
    try (ObjectStream original = store.open(key).orElseThrow()) {
      return onlySize
          ? thumbnails.sizeOf(original.stream(), type, budget)
          : thumbnails.of(original.stream(), type, budget);
    } catch (IOException | RuntimeException e) {
      LOG.warn("no thumbnail of {}", key, e);
      return Optional.empty();
    }
  }

  private @Nullable String putBeside(String original, Thumbnail small) {
    String key = ObjectKeys.thumbnail(original, small.type());
    try {
      return store.put(key, small.type().essence(), small.content(), small.size()).key();
    } catch (ObjectStoreException.AlreadyExists _) {
      return key;
    } catch (IOException | ObjectStoreException e) {
      LOG.warn("no thumbnail beside {}", original, e);
      return null;
    }
  }
}
