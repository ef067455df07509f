package dev.millrace.storage;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** File operations that survive a power cut, and files that only our own user can read. */
public final class DurableFiles {

  private static final FileAttribute<?>[] NONE = {};
  private static final Set<PosixFilePermission> OWNER_FILE =
      PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> OWNER_DIRECTORY =
      PosixFilePermissions.fromString("rwx------");

  /** Down to {@code tenants/7/jobs}; below are those of one job. */
  private static final int SHARED_DEPTH = 3;

  private DurableFiles() {}

  /** Opens a file that must not exist yet. */
  public static FileChannel create(Path file) throws IOException {
    return FileChannel.open(
        file,
        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
        ownerOnly(file, OWNER_FILE));
  }

  /**
   * Gives a finished file its name, making the directories between, and never takes a name away
   * from another file. A rename would silently replace what is there, so the name is a second hard
   * link; the caller deletes the first.
   *
   * <p>Directories are synced only after the name is in them: while they are empty a cleanup may
   * take them away, and syncing is slow enough to let it.
   *
   * @param top the directory that already is durable
   * @param shared syncs the directories close to the top, which everybody shares
   * @throws FileAlreadyExistsException if the name is taken
   * @throws NoSuchFileException if a cleanup took away a directory before the name was in it
   */
  public static void publish(Path finished, Path name, Path top, SharedSync shared)
      throws IOException {
    Path directory = directoryOf(name);
    makeDirectories(directory);
    link(finished, name);
    for (Path above = directory; above.startsWith(top); above = directoryOf(above)) {
      try {
        if (above.getNameCount() - top.getNameCount() <= SHARED_DEPTH) {
          shared.sync(above);
        } else {
          sync(above);
        }
      } catch (NoSuchFileException _) {
        // A cleanup took the file away again, and its directory with it: that came after us.
      }
    }
  }

  /** Makes a directory and its parents durable, as far as they are new. */
  public static void createDirectories(Path directory) throws IOException {
    if (Files.isDirectory(directory)) {
      return;
    }
    Path parent = directoryOf(directory);
    createDirectories(parent);
    makeDirectories(directory);
    sync(parent);
  }

  /** Makes the names inside a directory durable. */
  public static void sync(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private static void makeDirectories(Path directory) throws IOException {
    if (Files.isDirectory(directory)) {
      return;
    }
    Path parent = directoryOf(directory);
    makeDirectories(parent);
    try {
      Files.createDirectory(directory, ownerOnly(parent, OWNER_DIRECTORY));
    } catch (FileAlreadyExistsException _) {
      if (Files.exists(directory) && !Files.isDirectory(directory)) {
        throw new NotDirectoryException(directory.toString());
      }
    }
  }

  private static void link(Path finished, Path name) throws IOException {
    try {
      Files.createLink(name, finished);
    } catch (FileAlreadyExistsException | NoSuchFileException e) {
      throw e;
    } catch (UnsupportedOperationException | FileSystemException _) {
      // Some network and removable file systems know no hard links. A plain move looks before it
      // renames; the gap between is harmless, because names carry unique ids. Whatever else was
      // wrong is wrong with the move as well, and then reported.
      Files.move(finished, name);
    }
  }

  public static boolean knowsPermissions(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  public static Path directoryOf(Path path) throws IOException {
    Path parent = path.toAbsolutePath().getParent();
    if (parent == null) {
      throw new NoSuchFileException(path.toString());
    }
    return parent;
  }

  private static FileAttribute<?>[] ownerOnly(Path path, Set<PosixFilePermission> permissions) {
    return knowsPermissions(path)
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
        : NONE;
  }
}
