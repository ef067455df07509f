package dev.millrace.server.api;

import dev.millrace.storage.s3.S3Rig;
import java.util.List;
import org.junit.jupiter.api.AfterAll;

/** Workers that fetch and bring files of an S3-compatible store, past the server. */
class WorkerFilesOnS3ApiPgTest extends WorkerFileLaws {

  private final S3Rig rig = S3Rig.open();

  @AfterAll
  @Override
  void stop() {
    super.stop();
    rig.close();
  }

  @Override
  List<String> store() {
    return rig.settings("");
  }
}
