package dev.millrace.service.outside;

import dev.millrace.contract.digest.ConstantTime;
import dev.millrace.contract.digest.Sha256;
import dev.millrace.engine.job.JobId;
import dev.millrace.service.attempt.Turn;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Our name for one handover. It says which attempt it is, and ends with a stamp that only who was
 * told can know: a callback's address is not signed, and this makes it worth something.
 *
 * @param stamp made of the token of the attempt's lease
 */
record Intent(JobId job, int attempt, String stamp) {

  private static final int STAMP_BYTES = 9;
  private static final Pattern FORM =
      Pattern.compile("([0-9]{1,9})_([0-9a-f]{32})_([0-9]{1,6})_([A-Za-z0-9_-]{12})");

  static Intent of(Turn turn) {
    return new Intent(turn.job(), turn.attempt(), stamp(turn.token()));
  }

  /** What is not of the right form is nobody's intent. */
  static Optional<Intent> parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    ByteBuffer id = ByteBuffer.wrap(HexFormat.of().parseHex(matcher.group(2)));
    return Optional.of(
        new Intent(
            new JobId(Integer.parseInt(matcher.group(1)), new UUID(id.getLong(), id.getLong())),
            Integer.parseInt(matcher.group(3)),
            matcher.group(4)));
  }

  /** Whether the attempt with this token made it. */
  boolean isOf(UUID token) {
    return ConstantTime.equal(stamp, stamp(token));
  }

  /** Nobody can find the token by its stamp. */
  private static String stamp(UUID token) {
    byte[] hash = Sha256.of("intent " + token);
    return Base64.getUrlEncoder().encodeToString(Arrays.copyOf(hash, STAMP_BYTES));
  }

  @Override
  public String toString() {
    return job.tenant()
        + "_"
        + job.uuid().toString().replace("-", "")
        + "_"
        + attempt
        + "_"
        + stamp;
  }
}
