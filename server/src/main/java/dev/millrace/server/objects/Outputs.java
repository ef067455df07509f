package dev.millrace.server.objects;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.millrace.contract.provider.Output;
import java.io.IOException;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes what an attempt produced into the store. Nothing of it is trusted. */
public final class Outputs {

  private static final Logger LOG = LoggerFactory.getLogger(Outputs.class);

  private final ObjectStore store;
  private final Thumbnails thumbnails;
  private final long maxBytes;

  /**
   * @param maxBytes that one output may have
   */
  public Outputs(ObjectStore store, Thumbnails thumbnails, long maxBytes) {
    this.store = store;
    this.thumbnails = thumbnails;
    this.maxBytes = maxBytes;
  }

  /**
   * Stores one output and, if it is a picture, a thumbnail beside it.
   *
   * @throws OutputRefused if its type or size is not acceptable; nothing is stored then
   * @throws IOException if the output's own content could not be read
   * @throws ObjectStoreException if the store failed
   */
  public StoredOutput store(Output output, String tenant, String jobId, int attempt)
      throws IOException {
    MediaType type =
        MediaType.of(output.mediaType())
            .orElseThrow(() ->
                new OutputRefused(
                    OutputRefused.Reason.UNKNOWN_TYPE,
                    "outputs of this media type are not stored"));
    UUID fileId = UuidCreator.getTimeOrderedEpoch();
    String key = ObjectKeys.output(tenant, jobId, attempt, fileId, type);
    StoredObject stored = put(key, type, output);
    Optional<Picture> picture = look(key, type);
    return new StoredOutput(
        fileId,
        key,
        DownloadNames.clean(output.name(), type),
        type.essence(),
        stored.size(),
        stored.sha256(),
        picture.map(Picture::width).orElse(null),
        picture.map(Picture::height).orElse(null),
        picture.flatMap(Picture::thumbnail).map(small -> putBeside(key, small)).orElse(null));
  }

  /** Reads the bytes back; to be asked right before credits are consumed for them. */
  public Verification verify(StoredOutput output) {
    return store.verify(output.key(), output.size(), output.sha256());
  }

  /** Removes all that an attempt stored, when its result is not accepted. */
  public int discard(String tenant, String jobId, int attempt) {
    return store.deletePrefix(ObjectKeys.attemptPrefix(tenant, jobId, attempt));
  }

  private StoredObject put(String key, MediaType type, Output output) throws IOException {
    ObjectWriter checked =
        out -> {
          HeadOutput head = new HeadOutput(out);
          output.content().writeTo(head);
          if (head.head().length == 0) {
            throw new OutputRefused(OutputRefused.Reason.EMPTY, "the output is empty");
          }
          if (!Magic.fits(type, head.head())) {
            throw new OutputRefused(
                OutputRefused.Reason.TYPE_MISMATCH, "the output is not " + type.essence());
          }
        };
    try {
      return store.put(key, type.essence(), checked, maxBytes);
    } catch (ObjectStoreException.TooLarge e) {
      throw new OutputRefused(
          OutputRefused.Reason.TOO_LARGE, "the output is larger than " + maxBytes + " bytes", e);
    }
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
    try {
      String key = ObjectKeys.thumbnail(original, small.type());
      return store.put(key, small.type().essence(), small.content(), small.size()).key();
    } catch (IOException | ObjectStoreException e) {
      LOG.warn("no thumbnail beside {}", original, e);
      return null;
    }
  }
}
