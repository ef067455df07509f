package dev.millrace.service.access;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * Secrets in clear: a mark, 43 random characters, and 6 of a checksum. The checksum lets a mistyped
 * one be refused without a look at the database, and lets secret scanners be sure.
 */
public final class CheckedText {

  private static final int RANDOM_CHARS = 43;
  private static final int CHECK_CHARS = 6;
  private static final int SHOWN_CHARS = 5;

  private CheckedText() {}

  public static String random(String mark) {
    String text = mark + RandomText.of(RANDOM_CHARS);
    return text + checksum(text);
  }

  /** Whether this can be one of ours. */
  public static boolean isGood(String mark, String text) {
    int length = mark.length() + RANDOM_CHARS + CHECK_CHARS;
    if (text.length() != length || !text.startsWith(mark)) {
      return false;
    }
    String body = text.substring(0, length - CHECK_CHARS);
    return checksum(body).equals(text.substring(length - CHECK_CHARS));
  }

  /** What people may recognise it by. */
  public static String prefix(String mark, String text) {
    return text.substring(0, mark.length() + SHOWN_CHARS);
  }

  private static String checksum(String body) {
    CRC32 crc = new CRC32();
    crc.update(body.getBytes(StandardCharsets.UTF_8));
    StringBuilder check = new StringBuilder();
    long rest = crc.getValue();
    for (int i = 0; i < CHECK_CHARS; i++) {
      check.append(RandomText.ALPHABET.charAt((int) (rest % RandomText.ALPHABET.length())));
      rest /= RandomText.ALPHABET.length();
    }
    return check.toString();
  }
}
