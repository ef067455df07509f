package dev.millrace.server.api;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Large files in the data folder. */
class PartedFilesOnDiskApiPgTest extends PartedFileLaws {

  @Override
  List<String> store() {
    return List.of();
  }

  /** The server may be removing things meanwhile. */
  @Override
  List<String> unfinished() throws IOException {
    List<String> found = new ArrayList<>();
    Files.walkFileTree(
        folder.resolve("data/objects/.unfinished/parts"),
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            found.add(file.toString());
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure) {
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure) {
            found.add(directory.toString());
            return FileVisitResult.CONTINUE;
          }
        });
    return found;
  }
}
