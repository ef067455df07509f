package dev.millrace.worker.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The worker's folder: {@code scratch} is emptied at every start, {@code state} is kept. */
public final class WorkFolder implements AutoCloseable {

  private final Path scratch;
  private final Path state;
  private final FileChannel channel;

  private WorkFolder(Path scratch, Path state, FileChannel channel) {
    this.scratch = scratch;
    this.state = state;
    this.channel = channel;
  }

  /**
   * Takes the folder, and removes what a predecessor left behind.
   *
   * @throws IOException also if another worker uses the folder
   */
  public static WorkFolder open(Path folder) throws IOException {
    Files.createDirectories(folder);
    onlyForUs(folder);
    FileChannel channel =
        FileChannel.open(
            folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (lock(channel) == null) {
        throw new IOException(folder + " is used by another worker; set WORK_DIR");
      }
      Path scratch = folder.resolve("scratch");
      remove(scratch);
      return new WorkFolder(
          Files.createDirectories(scratch),
          Files.createDirectories(folder.resolve("state")),
          channel);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /** What must outlive this process. */
  public Path state() {
    return state;
  }

  public Path scratch() {
    return scratch;
  }

  /** A new, empty folder for an attempt. */
  public Path create(UUID attempt) throws IOException {
    Path folder = scratch.resolve(attempt.toString());
    remove(folder);
    return Files.createDirectory(folder);
  }

  /** How many bytes the files below a folder have; those that vanish meanwhile have none. */
  public static long size(Path folder) throws IOException {
    long[] sum = new long[1];
    walk(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            sum[0] += attributes.isRegularFile() ? attributes.size() : 0;
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE;
          }
        });
    return sum[0];
  }

  /** Removes a folder with all that is in it, and never what a link in it points to. */
  public static void remove(Path folder) throws IOException {
    walk(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException e)
              throws IOException {
            Files.deleteIfExists(dir);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private static void walk(Path folder, SimpleFileVisitor<Path> visitor) throws IOException {
    if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      try {
        Files.walkFileTree(folder, visitor);
      } catch (NoSuchFileException _) {
        // Somebody was faster.
      }
    }
  }

  private static @Nullable FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException _) {
      return null;
    }
  }

  /** It has people's pictures and a token in it. */
  private static void onlyForUs(Path folder) throws IOException {
    try {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    } catch (UnsupportedOperationException _) {
      // A file system without such permissions.
    }
  }
}
