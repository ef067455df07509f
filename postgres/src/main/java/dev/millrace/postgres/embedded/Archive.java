package dev.millrace.postgres.embedded;

import dev.millrace.contract.digest.Sha256;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/** The packed binaries on the class path. */
record Archive(String resource) {
  /**
   * Tells builds of PostgreSQL apart: other bytes are unpacked elsewhere, so a running server never
   * loses its files.
   */
  String fingerprint() throws IOException {
    try (InputStream in = open()) {
      return Sha256.hex(in).substring(0, 16);
    }
  }

  boolean exists() {
    return Archive.class.getResource("/" + resource) != null;
  }

  /**
   * Permissions are set outright, for the account that runs PostgreSQL may not be the one that
   * unpacks it.
   */
  void unpack(Path target) throws IOException {
    makeDirectory(target);
    try (var tar = new TarArchiveInputStream(new XZCompressorInputStream(open()))) {
      for (var entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        Path path = target.resolve(entry.getName()).normalize();
        if (!path.startsWith(target)) {
          throw new IOException("an entry of " + resource + " lies outside it: " + entry.getName());
        }
        write(tar, entry, path);
      }
    }
  }

  private static void write(InputStream tar, TarArchiveEntry entry, Path path) throws IOException {
    if (entry.isDirectory()) {
      makeDirectory(path);
      return;
    }
    Files.createDirectories(path.getParent());
    if (entry.isSymbolicLink()) {
      Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
    } else {
      Files.copy(tar, path);
      boolean executable = (entry.getMode() & 0111) != 0;
      Files.setPosixFilePermissions(
          path, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
      Tree.sync(path);
    }
  }

  private static void makeDirectory(Path path) throws IOException {
    Files.createDirectories(path);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private InputStream open() throws IOException {
    InputStream in = Archive.class.getResourceAsStream("/" + resource);
    if (in == null) {
      throw new IOException(resource + " is not on the class path");
    }
    return new BufferedInputStream(in);
  }
}
