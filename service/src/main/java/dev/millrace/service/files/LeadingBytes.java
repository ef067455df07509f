package dev.millrace.service.files;

import dev.millrace.storage.MediaType;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.ObjectStoreException;
import dev.millrace.storage.ObjectStream;
import dev.millrace.storage.output.Magic;
import java.io.IOException;

/** Holds the first bytes of a stored object against the type that it should have. */
final class LeadingBytes {

  private LeadingBytes() {}

  static boolean fit(ObjectStore store, String key, MediaType type) {
    try (ObjectStream head = store.open(key, 0, Magic.HEAD_BYTES).orElseThrow()) {
      return Magic.fits(type, head.stream().readNBytes(Magic.HEAD_BYTES));
    } catch (IOException e) {
      throw ObjectStoreException.of("read " + key, e);
    }
  }
}
