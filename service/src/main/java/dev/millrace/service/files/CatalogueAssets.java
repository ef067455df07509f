package dev.millrace.service.files;

import dev.millrace.contract.digest.Sha256;
import dev.millrace.service.catalogue.AssetFile;
import dev.millrace.storage.ObjectKeys;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.ObjectStoreException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Files that come with the catalogue, as objects, so that workers can fetch them like any other.
 * The checksum is the name, so each content is stored once, by whichever node needs it first.
 */
final class CatalogueAssets {

  private final ObjectStore store;
  private final Set<String> there = ConcurrentHashMap.newKeySet();

  CatalogueAssets(ObjectStore store) {
    this.store = store;
  }

  /**
   * The object's key; it is stored first if it isn't there yet.
   *
   * @throws JobAssets.Missing if the file was changed or removed since the catalogue was read
   */
  String keyOf(AssetFile file) {
    String key = ObjectKeys.catalogued(file.sha256(), file.type());
    if (!there.contains(key)) {
      if (store.size(key).isEmpty()) {
        put(key, file);
      }
      there.add(key);
    }
    return key;
  }

  private void put(String key, AssetFile file) {
    try (InputStream in = Files.newInputStream(file.path())) {
      store.put(
          key,
          file.type().essence(),
          out -> {
            MessageDigest digest = Sha256.start();
            new DigestInputStream(in, digest).transferTo(out);
            if (!Sha256.hex(digest).equals(file.sha256())) {
              throw new IOException("its content is another now");
            }
          },
          file.size());
    } catch (ObjectStoreException.AlreadyExists _) {
      // Another node was faster, with the same bytes.
    } catch (IOException | ObjectStoreException.TooLarge e) {
      throw new JobAssets.Missing(
          "The file " + file.name() + " changed since the catalogue was read.", e);
    }
  }
}
