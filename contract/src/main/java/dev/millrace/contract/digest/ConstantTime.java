package dev.millrace.contract.digest;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** Compares what is secret in a time that does not tell how much of it was right. */
public final class ConstantTime {

  private ConstantTime() {}

  public static boolean equal(String one, String other) {
    return equal(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
  }

  public static boolean equal(byte[] one, byte[] other) {
    return MessageDigest.isEqual(one, other);
  }
}
