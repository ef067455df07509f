package dev.millrace.server.api;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Large files in the data folder. */
class PartedFilesOnDiskApiPgTest extends PartedFileLaws {

  @Override
  List<String> store() {
    return List.of();
  }

  @Override
  List<String> unfinished() throws IOException {
    try (Stream<Path> all = Files.walk(folder.resolve("data/objects/.unfinished/parts"))) {
      return all.map(Path::toString).toList();
    }
  }
}
