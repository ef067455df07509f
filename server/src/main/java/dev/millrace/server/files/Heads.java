package dev.millrace.server.files;

import dev.millrace.server.objects.Magic;
import dev.millrace.server.objects.MediaType;
import dev.millrace.server.objects.ObjectStore;
import dev.millrace.server.objects.ObjectStoreException;
import dev.millrace.server.objects.ObjectStream;
import java.io.IOException;

/** Holds the first bytes of a stored object against the type that it should have. */
final class Heads {

  private Heads() {}

  static boolean fit(ObjectStore store, String key, MediaType type) {
    try (ObjectStream head = store.open(key, 0, Magic.HEAD_BYTES).orElseThrow()) {
      return Magic.fits(type, head.stream().readNBytes(Magic.HEAD_BYTES));
    } catch (IOException e) {
      throw ObjectStoreException.of("read " + key, e);
    }
  }
}
