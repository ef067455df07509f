package dev.millrace.server.files;

import dev.millrace.server.objects.LocalObjectStore;
import dev.millrace.server.objects.ObjectStore;
import dev.millrace.server.objects.SigningKeys;
import dev.millrace.server.objects.UrlSigner;
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
