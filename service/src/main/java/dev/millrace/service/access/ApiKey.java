package dev.millrace.service.access;

import dev.millrace.contract.digest.Sha256;
import java.util.Optional;

/** An API key in clear: {@code mr_} and random characters with a checksum. */
public record ApiKey(String text) {

  private static final String MARK = "mr_";

  public static ApiKey random() {
    return new ApiKey(CheckedText.random(MARK));
  }

  /** Empty if this can't be a key of ours. */
  public static Optional<ApiKey> parse(String text) {
    return CheckedText.isGood(MARK, text) ? Optional.of(new ApiKey(text)) : Optional.empty();
  }

  /** What people may recognise it by. */
  public String prefix() {
    return CheckedText.prefix(MARK, text);
  }

  /** What is stored. The key has more than 250 random bits, so a plain hash is enough. */
  public String hash() {
    return Sha256.hex(text);
  }

  @Override
  public String toString() {
    return prefix() + "...";
  }
}
