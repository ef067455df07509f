package dev.millrace.web.dialect;

import dev.millrace.postgres.files.FileView;
import dev.millrace.storage.MediaType;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.ObjectStoreException;
import dev.millrace.storage.ObjectStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Outputs that are texts, for answers that have them in themselves. */
public record JobTexts(ObjectStore store) {

  private static final long LONGEST = 256 << 10;

  /** The text of an output; empty if it is a picture, or too long to stand in an answer. */
  public Optional<String> of(FileView file) {
    boolean text = MediaType.of(file.content().mediaType()).filter(MediaType::isText).isPresent();
    if (!text || file.content().size() > LONGEST) {
      return Optional.empty();
    }
    return bytes(file).map(bytes -> new String(bytes, StandardCharsets.UTF_8));
  }

  /** Everything that a file has in it; empty if it is gone. */
  public Optional<byte[]> bytes(FileView file) {
    Optional<ObjectStream> opened = store.open(file.keys().key());
    if (opened.isEmpty()) {
      return Optional.empty();
    }
    try (ObjectStream object = opened.get()) {
      return Optional.of(object.stream().readAllBytes());
    } catch (IOException e) {
      throw ObjectStoreException.of("read an output", e);
    }
  }
}
