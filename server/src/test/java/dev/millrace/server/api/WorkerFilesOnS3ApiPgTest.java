package dev.millrace.server.api;

import dev.millrace.server.objects.S3Rig;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Workers that fetch and bring files of an S3-compatible store, past the server. */
class WorkerFilesOnS3ApiPgTest extends WorkerFileLaws {

  @SuppressWarnings("NullAway.Init")
  private S3Rig rig;

  @BeforeEach
  @Override
  void start() throws IOException {
    try {
      rig = S3Rig.start();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    super.start();
  }

  @AfterEach
  @Override
  void stop() {
    super.stop();
    rig.close();
  }

  @Override
  List<String> store() {
    return List.of(
        "S3_BUCKET=" + S3Rig.BUCKET,
        "S3_ENDPOINT=" + rig.endpoint(),
        "S3_REGION=" + S3Rig.REGION,
        "S3_PATH_STYLE=true",
        "S3_ACCESS_KEY_ID=" + S3Rig.KEY_ID,
        "S3_SECRET_ACCESS_KEY=" + S3Rig.SECRET);
  }
}
