package dev.millrace.service.browsers;

import dev.millrace.contract.digest.Sha256;
import dev.millrace.service.access.CheckedText;
import java.util.Optional;

/** A user's token in clear: {@code mrt_} and random characters with a checksum, like a key. */
record UserToken(String text) {

  static final String MARK = "mrt_";

  static UserToken random() {
    return new UserToken(CheckedText.random(MARK));
  }

  /** Empty if this can't be a token of ours. */
  static Optional<UserToken> parse(String text) {
    return CheckedText.isGood(MARK, text) ? Optional.of(new UserToken(text)) : Optional.empty();
  }

  /** What people may recognise it by. */
  String prefix() {
    return CheckedText.prefix(MARK, text);
  }

  /** What is stored. */
  String hash() {
    return Sha256.hex(text);
  }

  @Override
  public String toString() {
    return prefix() + "...";
  }
}
