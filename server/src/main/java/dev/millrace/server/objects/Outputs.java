package dev.millrace.server.objects;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.millrace.contract.provider.Output;
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
   * @throws OutputRefused if its type or size is not acceptable; nothing is stored then
   * @throws IOException if the output's own content could not be read
   * @throws ObjectStoreException if the store failed
   */
  public StoredOutput store(Output output, String tenant, String jobId, int attempt)
      throws IOException {
    MediaType type = type(output);
    UUID fileId = UuidCreator.getTimeOrderedEpoch();
    return store(output, type, fileId, ObjectKeys.output(tenant, jobId, attempt, fileId, type));
  }

  /** The same for an output that is a small text, which is kept where many of them cost little. */
  public StoredOutput storeText(Output output, String tenant, String jobId, int attempt)
      throws IOException {
    MediaType type = type(output);
    UUID fileId = UuidCreator.getTimeOrderedEpoch();
    return store(output, type, fileId, ObjectKeys.text(tenant, jobId, attempt, fileId, type));
  }

  private static MediaType type(Output output) {
    return MediaType.of(output.mediaType())
        .orElseThrow(() ->
            new OutputRefused(
                OutputRefused.Reason.UNKNOWN_TYPE, "outputs of this media type are not stored"));
  }

  private StoredOutput store(Output output, MediaType type, UUID fileId, String key)
      throws IOException {
    StoredObject stored = put(key, type, output);
    Previews.Preview preview = previews.of(key, type);
    return new StoredOutput(
        fileId,
        key,
        DownloadNames.clean(output.name(), type),
        type.essence(),
        stored.size(),
        stored.sha256(),
        preview.width(),
        preview.height(),
        preview.thumbnailKey());
  }

  /** Reads the bytes back; to be asked right before credits are consumed for them. */
  public Verification verify(StoredOutput output) {
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
}
