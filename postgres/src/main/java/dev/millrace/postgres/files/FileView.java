package dev.millrace.postgres.files;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A stored file. */
public record FileView(
    UUID id,
    @Nullable UUID jobId,
    String kind,
    String name,
    Content content,
    StoreKeys keys,
    Review review,
    Instant createdAt) {

  /**
   * What it is; the width and the height of a picture that can be read.
   *
   * @param notes what whoever brought it wrote on it, a JSON object
   */
  public record Content(
      String mediaType,
      long size,
      String sha256,
      @Nullable Integer width,
      @Nullable Integer height,
      @Nullable String notes) {}

  /** Where it is stored. These stay on the server. */
  public record StoreKeys(String key, @Nullable String thumbnailKey) {}

  /**
   * What a reviewer said.
   *
   * @param withheld true if he did not let it through
   * @param approved what he said of it while others of the result were open; null if nothing
   */
  public record Review(boolean withheld, @Nullable Boolean approved) {}
}
