package dev.millrace.cli.shell;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;

/**
 * Files with a secret in them. They are born readable by their owner alone rather than restricted
 * afterwards, and appear whole or not at all.
 */
public final class OwnerFile {

  private OwnerFile() {}

  /** Replaces the file in one step. */
  public static void replace(Path file, byte[] content) throws IOException {
    Path draft = draft(file);
    try {
      Files.write(draft, content);
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  /** Makes the file of a stream that comes to its end. */
  public static void save(Path file, InputStream content) throws IOException {
    Path draft = draft(file);
    // Ctrl-C ends the process without running the finally below.
    draft.toFile().deleteOnExit();
    try {
      try (OutputStream out = Files.newOutputStream(draft)) {
        content.transferTo(out);
      }
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  /** True if a file could be made beside this one, which tells it before there is a secret. */
  public static boolean canBeWritten(Path file) {
    try {
      Files.delete(draft(file));
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  /** Makes a folder that its owner alone may enter, unless there is one. */
  public static void makeFolder(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder, ownerOnly("rwx------"));
    }
  }

  private static Path draft(Path file) throws IOException {
    Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file in a folder");
    makeFolder(folder);
    return Files.createTempFile(folder, ".secret", ".tmp", ownerOnly("rw-------"));
  }

  private static FileAttribute<?>[] ownerOnly(String permissions) {
    boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    return posix
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }
}
