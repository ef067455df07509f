package dev.millrace.providers.http;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;

/** Names a message by its bytes, for services that give their messages no name. */
final class Digest {

  private Digest() {}

  static String of(byte[] body) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
