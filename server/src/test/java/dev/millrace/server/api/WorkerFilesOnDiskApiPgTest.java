package dev.millrace.server.api;

import java.util.List;

/** Workers that fetch and bring files of the data folder, through the server itself. */
class WorkerFilesOnDiskApiPgTest extends WorkerFileLaws {

  @Override
  List<String> store() {
    return List.of();
  }
}
