package dev.millrace.worker.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Checksums. */
public final class Sha256 {

  private Sha256() {}

  public static MessageDigest start() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** In lower case hexadecimal digits. */
  public static String of(Path file) throws IOException {
    MessageDigest hash = start();
    byte[] buffer = new byte[64 * 1024];
    try (InputStream in = Files.newInputStream(file)) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        hash.update(buffer, 0, n);
      }
    }
    return HexFormat.of().formatHex(hash.digest());
  }
}
