package dev.millrace.service.files;

import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.local.LocalObjectStore;
import dev.millrace.storage.url.SigningKeys;
import dev.millrace.storage.url.UrlSigner;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

class OutputsOnDiskTest extends OutputLaws {

  @TempDir Path folder;

  private ObjectStore store;

  @BeforeEach
  void open() {
    store =
        new LocalObjectStore(
            folder, new UrlSigner(SigningKeys.of(new byte[32])), InstantSource.system());
  }

  @Override
  ObjectStore store() {
    return store;
  }
}
