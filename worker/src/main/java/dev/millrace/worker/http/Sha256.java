package dev.millrace.worker.http;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The one kind of checksum that is used here. */
final class Sha256 {

  private Sha256() {}

  static MessageDigest start() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
