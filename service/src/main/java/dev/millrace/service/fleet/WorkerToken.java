package dev.millrace.service.fleet;

import dev.millrace.contract.digest.Sha256;
import dev.millrace.service.access.RandomText;
import java.util.Optional;
import java.util.regex.Pattern;

/** A worker's token in clear: {@code mrw_} and 43 random characters. It is shown once. */
public record WorkerToken(String text) {

  private static final String MARK = "mrw_";
  private static final int RANDOM_CHARS = 43;
  private static final Pattern FORM = Pattern.compile(MARK + "[0-9A-Za-z]{" + RANDOM_CHARS + "}");

  public static WorkerToken random() {
    return new WorkerToken(MARK + RandomText.of(RANDOM_CHARS));
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
