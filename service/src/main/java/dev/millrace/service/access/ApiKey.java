package dev.millrace.service.access;

import dev.millrace.contract.digest.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * An API key in clear: {@code mr_} + 43 random characters + 6 of a checksum. The checksum lets a
 * mistyped key be refused without a look at the database, and lets secret scanners be sure.
 */
public record ApiKey(String text) {

  private static final String MARK = "mr_";
  private static final int RANDOM_CHARS = 43;
  private static final int CHECK_CHARS = 6;
  private static final int SHOWN_CHARS = 5;

  public static ApiKey random() {
    String text = MARK + RandomText.of(RANDOM_CHARS);
    return new ApiKey(text + checksum(text));
  }

  /** Empty if this can't be a key of ours. */
  public static Optional<ApiKey> parse(String text) {
    int length = MARK.length() + RANDOM_CHARS + CHECK_CHARS;
    if (text.length() != length || !text.startsWith(MARK)) {
      return Optional.empty();
    }
    String body = text.substring(0, length - CHECK_CHARS);
    return checksum(body).equals(text.substring(length - CHECK_CHARS))
        ? Optional.of(new ApiKey(text))
        : Optional.empty();
  }

  /** What people may recognise it by. */
  public String prefix() {
    return text.substring(0, MARK.length() + SHOWN_CHARS);
  }

  /** What is stored. The key has more than 250 random bits, so a plain hash is enough. */
  public String hash() {
    return Sha256.hex(text);
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

  @Override
  public String toString() {
    return prefix() + "...";
  }
}
