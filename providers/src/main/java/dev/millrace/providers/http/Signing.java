package dev.millrace.providers.http;

import dev.millrace.contract.digest.ConstantTime;
import dev.millrace.contract.digest.HmacSha256;
import dev.millrace.providers.wire.Headers;
import dev.millrace.providers.wire.StandardWebhook;
import dev.millrace.spi.provider.Verification.Reason;
import dev.millrace.spi.provider.Verification.Refused;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** How a service proves that a call is its own. */
sealed interface Signing {

  /** The name of the secret; several values of it may be good at once. */
  String secret();

  /** Why the call must not be believed; empty if it may be. */
  Optional<Refused> check(
      List<String> secrets, Map<String, List<String>> headers, byte[] body, Instant now);

  /** By the Standard Webhooks specification. */
  record Standard(String secret) implements Signing {
    @Override
    public Optional<Refused> check(
        List<String> secrets, Map<String, List<String>> headers, byte[] body, Instant now) {
      return StandardWebhook.check(
          secrets.stream().filter(StandardWebhook::isSecret).toList(), headers, body, now);
    }
  }

  /** A header that is the secret itself. It says nothing of the body, but many services do so. */
  record Token(String secret, String header) implements Signing {
    @Override
    public Optional<Refused> check(
        List<String> secrets, Map<String, List<String>> headers, byte[] body, Instant now) {
      String given = Headers.only(headers, header).orElse("");
      if (given.isEmpty()) {
        return Optional.of(new Refused(Reason.UNSIGNED, header + " must be there"));
      }
      return any(secrets, given, known -> known)
          ? Optional.empty()
          : Optional.of(new Refused(Reason.WRONG_SIGNATURE, header + " is not the secret"));
    }
  }

  /**
   * HMAC-SHA256 of the body.
   *
   * @param prefix before the signature, such as {@code sha256=}
   * @param timestampHeader if there is one, {@code timestamp.body} is signed, and it must be fresh
   */
  record Hmac(
      String secret, String header, String prefix, boolean base64, Optional<String> timestampHeader)
      implements Signing {

    private static final Duration TOLERANCE = Duration.ofMinutes(5);

    @Override
    public Optional<Refused> check(
        List<String> secrets, Map<String, List<String>> headers, byte[] body, Instant now) {
      String given = Headers.only(headers, header).orElse("");
      String time = timestampHeader.flatMap(name -> Headers.only(headers, name)).orElse("");
      if (given.isEmpty() || (timestampHeader.isPresent() && !time.matches("[0-9]{1,12}"))) {
        return Optional.of(new Refused(Reason.UNSIGNED, "the signature's headers must be there"));
      }
      String head = timestampHeader.isPresent() ? time + "." : "";
      if (!any(secrets, given, known -> prefix + sign(known, head, body))) {
        return Optional.of(
            new Refused(Reason.WRONG_SIGNATURE, "no signature fits the body and a known secret"));
      }
      boolean stale =
          timestampHeader.isPresent()
              && Duration.between(Instant.ofEpochSecond(Long.parseLong(time)), now)
                      .abs()
                      .compareTo(TOLERANCE)
                  > 0;
      return stale
          ? Optional.of(new Refused(Reason.STALE, "it was signed more than 300 seconds from now"))
          : Optional.empty();
    }

    private String sign(String known, String head, byte[] body) {
      byte[] hash = HmacSha256.of(known.getBytes(StandardCharsets.UTF_8), head, body);
      return base64 ? Base64.getEncoder().encodeToString(hash) : HexFormat.of().formatHex(hash);
    }
  }

  private static boolean any(List<String> secrets, String given, UnaryOperator<String> expected) {
    boolean fits = false;
    for (String known : secrets) {
      fits |= ConstantTime.equal(expected.apply(known), given);
    }
    return fits;
  }
}
