package dev.millrace.storage.local;

import dev.millrace.storage.ObjectKeys;
import dev.millrace.storage.ObjectStoreException;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The directory of a {@link LocalObjectStore}: from keys to paths and back, never outside. */
final class LocalTree {

  private final Path root;

  /**
   * @param root without symbolic links
   */
  LocalTree(Path root) {
    this.root = root;
  }

  Path resolve(String key) {
    return inside(ObjectKeys.require(key));
  }

  Path resolvePrefix(String prefix) {
    return inside(ObjectKeys.requirePrefix(prefix));
  }

  List<String> keysUnder(Path directory) throws IOException {
    List<String> keys = new ArrayList<>();
    Files.walkFileTree(directory, new Walk(path -> keys.add(keyOf(path)), _ -> {}, _ -> {}));
    Collections.sort(keys);
    return keys;
  }

  /** Also removes what is no object, so that the directories can go; counts objects only. */
  int deleteUnder(Path directory) throws IOException {
    int[] deleted = {0};
    Files.walkFileTree(
        directory,
        new Walk(
            object -> deleted[0] += Files.deleteIfExists(object) ? 1 : 0,
            Files::deleteIfExists,
            LocalTree::removeEmpty));
    return deleted[0];
  }

  /**
   * Keys have no way to leave the root by name, so a symbolic link is the only other way; there is
   * none that we made.
   */
  private Path inside(String key) {
    Path path = root;
    for (Path part : root.getFileSystem().getPath(key)) {
      path = path.resolve(part);
      if (Files.isSymbolicLink(path)) {
        throw new ObjectStoreException("a symbolic link in the object store: " + path);
      }
    }
    return path;
  }

  String keyOf(Path path) {
    return root.relativize(path).toString().replace(File.separatorChar, '/');
  }

  /** A write may have put something in since we looked, or another cleanup was here. */
  private static void removeEmpty(Path directory) throws IOException {
    try {
      Files.deleteIfExists(directory);
    } catch (DirectoryNotEmptyException _) {
      // Then it is in use again, and stays.
    }
  }

  @FunctionalInterface
  private interface Visit {
    void accept(Path path) throws IOException;
  }

  /**
   * Visits objects, what else lies beside them, and directories last; what vanishes meanwhile was
   * not there.
   */
  private final class Walk extends SimpleFileVisitor<Path> {

    private final Visit object;
    private final Visit other;
    private final Visit directory;

    Walk(Visit object, Visit other, Visit directory) {
      this.object = object;
      this.other = other;
      this.directory = directory;
    }

    @Override
    public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) throws IOException {
      if (attributes.isRegularFile() && ObjectKeys.isKey(keyOf(path))) {
        object.accept(path);
      } else {
        other.accept(path);
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path path, IOException failure) throws IOException {
      if (failure instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw failure;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path path, @Nullable IOException failure)
        throws IOException {
      if (failure != null) {
        throw failure;
      }
      directory.accept(path);
      return FileVisitResult.CONTINUE;
    }
  }
}
