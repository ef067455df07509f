package dev.millrace.storage.picture;

import dev.millrace.storage.MediaType;
import dev.millrace.storage.ObjectKeys;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.ObjectStoreException;
import dev.millrace.storage.ObjectStream;
import java.io.IOException;
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

    static final Preview NONE = new Preview(null, null, null);
  }

  /** Looks at a stored object; a thumbnail that is there already is found again. */
  public Preview of(String key, MediaType type) {
    return look(key, type)
        .map(picture ->
            new Preview(
                picture.width(),
                picture.height(),
                picture.thumbnail().map(small -> putBeside(key, small)).orElse(null)))
        .orElse(Preview.NONE);
  }

  private Optional<Picture> look(String key, MediaType type) {
    if (!type.essence().startsWith("image/")) {
      return Optional.empty();
    }
    try (ObjectStream original = store.open(key).orElseThrow()) {
      return thumbnails.of(original.stream(), type);
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
