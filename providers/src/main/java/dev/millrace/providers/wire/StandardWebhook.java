package dev.millrace.providers.wire;

import dev.millrace.contract.digest.ConstantTime;
import dev.millrace.contract.digest.HmacSha256;
import dev.millrace.spi.provider.Verification.Reason;
import dev.millrace.spi.provider.Verification.Refused;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Checks the signature of a webhook as the Standard Webhooks specification has it.
 *
 * <p>By hand, because the library (1.2.0) takes the body as text and not as bytes, knows one secret
 * and reads the machine's clock. A header may carry several signatures and the receiver may know
 * several secrets: while a secret is being replaced, any that fits will do.
 */
public final class StandardWebhook {

  private static final Duration TOLERANCE = Duration.ofMinutes(5);
  private static final String PREFIX = "whsec_";
  private static final String VERSION = "v1,";
  private static final Pattern DIGITS = Pattern.compile("[0-9]{1,12}");
  private static final int LONGEST_ID = 255;

  /** Room for a thousand signatures; each costs one comparison, and each secret one hash. */
  private static final int LONGEST_SIGNATURES = 1 << 16;

  private StandardWebhook() {}

  /** The id of the message that the headers carry; meaningful after the check. */
  public static String id(Map<String, List<String>> headers) {
    return Headers.only(headers, "webhook-id").orElse("");
  }

  /** Why the call must not be believed; empty if it may be. */
  public static Optional<Refused> check(
      List<String> secrets, Map<String, List<String>> headers, byte[] body, Instant now) {
    String id = id(headers);
    String timestamp = Headers.only(headers, "webhook-timestamp").orElse("");
    String signatures = Headers.only(headers, "webhook-signature").orElse("");
    if (id.isEmpty() || timestamp.isEmpty() || signatures.isEmpty()) {
      return refused(Reason.UNSIGNED, "webhook-id, -timestamp and -signature must all be there");
    }
    // Digits only: in "1.1794699990" a part of the id would hide, and change the meaning of both.
    if (!DIGITS.matcher(timestamp).matches()) {
      return refused(Reason.UNSIGNED, "webhook-timestamp must be a number of seconds");
    }
    if (id.length() > LONGEST_ID || signatures.length() > LONGEST_SIGNATURES) {
      return refused(Reason.UNSIGNED, "the signature's headers are too long");
    }
    if (!fits(secrets, id + "." + timestamp + ".", signatures, body)) {
      return refused(Reason.WRONG_SIGNATURE, "no signature fits the body and a known secret");
    }
    Duration age = Duration.between(Instant.ofEpochSecond(Long.parseLong(timestamp)), now).abs();
    if (age.compareTo(TOLERANCE) > 0) {
      return refused(Reason.STALE, "it was signed more than 300 seconds from now");
    }
    return Optional.empty();
  }

  private static boolean fits(List<String> secrets, String head, String signatures, byte[] body) {
    boolean fits = false;
    String[] given = signatures.split(" ", -1);
    for (String secret : secrets) {
      String expected = VERSION + sign(secret, head, body);
      for (String signature : given) {
        fits |= ConstantTime.equal(expected, signature);
      }
    }
    return fits;
  }

  private static String sign(String secret, String head, byte[] body) {
    return Base64.getEncoder().encodeToString(HmacSha256.of(key(secret), head, body));
  }

  private static byte[] key(String secret) {
    return Base64.getDecoder()
        .decode(secret.startsWith(PREFIX) ? secret.substring(PREFIX.length()) : secret);
  }

  /** Whether a text can be a secret: base64, with or without {@code whsec_} before it. */
  public static boolean isSecret(String text) {
    try {
      return key(text.strip()).length > 0;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static Optional<Refused> refused(Reason reason, String message) {
    return Optional.of(new Refused(reason, message));
  }
}
