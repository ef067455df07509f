package dev.millrace.server.api;

import dev.millrace.storage.s3.S3Rig;
import java.util.List;
import org.junit.jupiter.api.AfterAll;

/** Large files in an S3-compatible store, which takes the parts itself. */
class PartedFilesOnS3ApiPgTest extends PartedFileLaws {

  private final S3Rig rig = S3Rig.open();

  @AfterAll
  @Override
  void stop() {
    super.stop();
    rig.close();
  }

  @Override
  List<String> store() {
    return rig.settings("parted");
  }

  @Override
  List<String> unfinished() {
    return rig.unfinished();
  }
}
