package dev.millrace.server.api;

import java.util.List;

/** Files in the data folder, served by the server itself. */
class FilesOnDiskApiPgTest extends FileLaws {

  @Override
  List<String> store() {
    return List.of();
  }
}
