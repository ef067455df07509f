package dev.millrace.storage.output;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.millrace.spi.provider.Output;
import dev.millrace.storage.MediaType;
import dev.millrace.storage.ObjectCheck;
import dev.millrace.storage.ObjectKeys;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.ObjectStoreException;
import dev.millrace.storage.ObjectWriter;
import dev.millrace.storage.StoredObject;
import dev.millrace.storage.picture.PictureBudget;
import dev.millrace.storage.picture.Previews;
import dev.millrace.storage.picture.Thumbnails;
import java.io.IOException;
import java.util.List;
import java.util.UUID;

/** Takes what an attempt produced into the store. Nothing of it is trusted. */
public final class Outputs {

  private final ObjectStore store;
  private final Previews previews;
  private final long maxBytes;

  /**
   * @param maxBytes that one output may have
   */
  public Outputs(ObjectStore store, Thumbnails thumbnails, long maxBytes) {
    this.store = store;
    this.previews = new Previews(store, thumbnails);
    this.maxBytes = maxBytes;
  }

  /**
   * Stores one output and, if it is a picture, a thumbnail beside it.
   *
   * @param pictures for all outputs of the attempt together
   * @throws OutputRefused if its type or size is not acceptable; nothing is stored then
   * @throws IOException if the output's own content could not be read
   * @throws ObjectStoreException if the store failed
   */
  public StoredOutput store(
      Output output, String tenant, String jobId, int attempt, PictureBudget pictures)
      throws IOException {
    MediaType type = type(output.mediaType());
    UUID fileId = UuidCreator.getTimeOrderedEpoch();
    String key = ObjectKeys.output(tenant, jobId, attempt, fileId, type);
    StoredObject stored = put(key, type, output);
    Previews.Preview preview = previews.of(key, type, pictures);
    return new StoredOutput(
        fileId,
        key,
        DownloadNames.clean(output.name(), type),
        type.essence(),
        stored.size(),
        stored.sha256(),
        preview);
  }

  /** Reads the bytes back; to be asked right before credits are consumed for them. */
  public ObjectCheck verify(StoredOutput output) {
    return store.verify(output.key(), output.size(), output.sha256());
  }

  /** Removes what was stored, when it is not accepted. */
  public void discard(List<StoredOutput> stored) {
    for (StoredOutput output : stored) {
      store.delete(output.key());
      if (output.thumbnailKey() != null) {
        store.delete(output.thumbnailKey());
      }
    }
  }

  private StoredObject put(String key, MediaType type, Output output) throws IOException {
    ObjectWriter checked =
        out -> {
          LeadingBytesOutput head = new LeadingBytesOutput(out);
          output.content().writeTo(head);
          requireContent(type, head.head());
        };
    try {
      return store.put(key, type.essence(), checked, maxBytes);
    } catch (ObjectStoreException.TooLarge e) {
      OutputRefused refused = tooLarge(maxBytes);
      refused.initCause(e);
      throw refused;
    }
  }

  static MediaType type(String mediaType) {
    return MediaType.of(mediaType)
        .orElseThrow(() ->
            new OutputRefused(
                OutputRefused.Reason.UNKNOWN_TYPE, "outputs of this media type are not stored"));
  }

  /**
   * Refuses nothing at all, and what is no such thing.
   *
   * @param head how it begins
   */
  static void requireContent(MediaType type, byte[] head) {
    if (head.length == 0) {
      throw new OutputRefused(OutputRefused.Reason.EMPTY, "the output is empty");
    }
    if (!Magic.fits(type, head)) {
      throw new OutputRefused(
          OutputRefused.Reason.TYPE_MISMATCH, "the output is not " + type.essence());
    }
  }

  static OutputRefused tooLarge(long maxBytes) {
    return new OutputRefused(
        OutputRefused.Reason.TOO_LARGE, "the output is larger than " + maxBytes + " bytes");
  }
}
