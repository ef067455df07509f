package dev.millrace.worker.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;

/** What the content of a file is known by. */
public final class FileChecksum {

  private FileChecksum() {}

  /** The SHA-256 in lower case hexadecimal digits. */
  public static String sha256(Path file) throws IOException {
    MessageDigest hash = Sha256.start();
    byte[] buffer = new byte[64 * 1024];
    try (InputStream in = Files.newInputStream(file)) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        hash.update(buffer, 0, n);
      }
    }
    return HexFormat.of().formatHex(hash.digest());
  }
}
