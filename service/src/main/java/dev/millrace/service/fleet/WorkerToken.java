package dev.millrace.service.fleet;

import dev.millrace.contract.digest.Sha256;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.regex.Pattern;

/** A worker's token in clear: {@code mrw_} and 43 random characters. It is shown once. */
public record WorkerToken(String text) {

  private static final String MARK = "mrw_";
  private static final int RANDOM_CHARS = 43;
  private static final String ALPHABET =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  private static final Pattern FORM = Pattern.compile(MARK + "[0-9A-Za-z]{" + RANDOM_CHARS + "}");
  private static final SecureRandom RANDOM = new SecureRandom();

  public static WorkerToken random() {
    StringBuilder text = new StringBuilder(MARK);
    for (int i = 0; i < RANDOM_CHARS; i++) {
      text.append(ALPHABET.charAt(RANDOM.nextInt(ALPHABET.length())));
    }
    return new WorkerToken(text.toString());
  }

  /** Empty if this can't be a token of ours. */
  static Optional<WorkerToken> parse(String text) {
    return FORM.matcher(text).matches() ? Optional.of(new WorkerToken(text)) : Optional.empty();
  }

  /** What is stored. The token has more than 250 random bits, so a plain hash is enough. */
  public String hash() {
    return Sha256.hex(text);
  }

  @Override
  public String toString() {
    return MARK + "...";
  }
}
