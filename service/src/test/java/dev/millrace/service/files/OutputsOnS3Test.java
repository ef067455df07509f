package dev.millrace.service.files;

import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.s3.S3Rig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class OutputsOnS3Test extends OutputLaws {

  @SuppressWarnings("NullAway.Init")
  private static S3Rig rig;

  @SuppressWarnings("NullAway.Init")
  private static ObjectStore store;

  @BeforeAll
  static void open() throws Exception {
    rig = S3Rig.start();
    store = rig.store();
  }

  @AfterAll
  static void close() {
    store.close();
    rig.close();
  }

  @Override
  ObjectStore store() {
    return store;
  }
}
