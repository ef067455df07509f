package dev.millrace.postgres.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** What is done to whole directories. Symbolic links are never followed. */
final class Tree {
  private Tree() {}

  static int owner(Path path) throws IOException {
    return (Integer) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Children come before their directory, so that a change of owner cut short is seen at the top
   * and done again.
   */
  static void changeOwner(Path root, int uid) throws IOException {
    walk(root, path -> Files.setAttribute(path, "unix:uid", uid, LinkOption.NOFOLLOW_LINKS));
  }

  static void delete(Path root) throws IOException {
    walk(root, Files::deleteIfExists);
  }

  /** Makes a finished file, or the names in a directory, survive a power failure. */
  static void sync(Path path) throws IOException {
    try (var channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private interface Change {
    void to(Path path) throws IOException;
  }

  private static void walk(Path root, Change change) throws IOException {
    if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            change.to(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException e)
              throws IOException {
            change.to(dir);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
