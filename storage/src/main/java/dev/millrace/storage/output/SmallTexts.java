package dev.millrace.storage.output;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.millrace.storage.MediaType;
import dev.millrace.storage.ObjectKeys;
import dev.millrace.storage.ObjectStat;
import dev.millrace.storage.picture.Previews;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * Looks at a small text as at any output. It is not stored here: it is written with the report that
 * brought it, so that it is there if and only if the report counted.
 */
public record SmallTexts(long maxBytes) {

  /** Whose text it is. */
  public record Maker(String tenant, String jobId, int attempt) {}

  /**
   * What the text will be stored as.
   *
   * @throws OutputRefused if its type or size is not acceptable
   */
  public StoredOutput measure(Maker maker, String name, String mediaType, String text) {
    MediaType type = Outputs.type(mediaType);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    Outputs.requireContent(type, bytes);
    if (bytes.length > maxBytes) {
      throw Outputs.tooLarge(maxBytes);
    }
    UUID fileId = UuidCreator.getTimeOrderedEpoch();
    ObjectStat stat = ObjectStat.of(bytes);
    return new StoredOutput(
        fileId,
        ObjectKeys.text(maker.tenant(), maker.jobId(), maker.attempt(), fileId, type),
        DownloadNames.clean(name, type),
        type.essence(),
        stat.size(),
        stat.sha256(),
        Previews.Preview.NONE);
  }
}
