package dev.millrace.storage;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** The checksum of files. */
public final class Sha256 {

  private static final int BUFFER_BYTES = 64 * 1024;
  private static final Pattern HEX = Pattern.compile("[0-9a-f]{64}");

  private Sha256() {}

  /** Whether this is a checksum as it is written everywhere here. */
  public static boolean isHex(String text) {
    return HEX.matcher(text).matches();
  }

  public static MessageDigest start() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  public static ObjectStat of(byte[] bytes) {
    return new ObjectStat(bytes.length, HexFormat.of().formatHex(start().digest(bytes)));
  }

  /** Reads to the end; the size is that of what was read, so it belongs to the checksum. */
  public static ObjectStat of(InputStream stream) throws IOException {
    MessageDigest digest = start();
    byte[] buffer = new byte[BUFFER_BYTES];
    long size = 0;
    for (int read = stream.read(buffer); read >= 0; read = stream.read(buffer)) {
      digest.update(buffer, 0, read);
      size += read;
    }
    return new ObjectStat(size, HexFormat.of().formatHex(digest.digest()));
  }
}
