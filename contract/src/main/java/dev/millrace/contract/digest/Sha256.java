package dev.millrace.contract.digest;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** The one kind of checksum that is used here. */
public final class Sha256 {

  private static final Pattern HEX = Pattern.compile("[0-9a-f]{64}");

  private Sha256() {}

  /** Whether this is a checksum as it is written everywhere here. */
  public static boolean isHex(String text) {
    return HEX.matcher(text).matches();
  }

  /** For bytes that come one after the other; {@link #hex(MessageDigest)} ends it. */
  public static MessageDigest start() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** The checksum of all that the digest was given; the digest is fresh again afterwards. */
  public static String hex(MessageDigest digest) {
    return HexFormat.of().formatHex(digest.digest());
  }

  public static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(of(bytes));
  }

  public static String hex(String text) {
    return HexFormat.of().formatHex(of(text));
  }

  /** Reads to the end, and leaves the stream open. */
  public static String hex(InputStream stream) throws IOException {
    MessageDigest digest = start();
    stream.transferTo(new DigestOutputStream(OutputStream.nullOutputStream(), digest));
    return hex(digest);
  }

  /** The checksum of a file's content. */
  public static String hex(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return hex(in);
    }
  }

  public static byte[] of(byte[] bytes) {
    return start().digest(bytes);
  }

  public static byte[] of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }
}
