package dev.millrace.providers.fal;

import dev.millrace.contract.digest.Sha256;
import dev.millrace.providers.wire.Headers;
import dev.millrace.providers.wire.Remembered;
import dev.millrace.providers.wire.WireJson;
import dev.millrace.spi.provider.Verification.Reason;
import dev.millrace.spi.provider.Verification.Refused;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** Checks who signed a webhook, by the keys that fal publishes. */
final class FalKeys {

  private static final Duration TOLERANCE = Duration.ofMinutes(5);
  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,12}");
  private static final Pattern SIGNATURE = Pattern.compile("[0-9a-fA-F]{128}");
  private static final int MOST_KEYS = 16;
  private static final int KEY_BYTES = 32;

  /** What stands before the bytes of an Ed25519 key in its usual encoding. */
  private static final byte[] HEAD = HexFormat.of().parseHex("302a300506032b6570032100");

  private final Remembered<List<PublicKey>> keys;

  FalKeys(Remembered<List<PublicKey>> keys) {
    this.keys = keys;
  }

  /** The Ed25519 keys of a JWKS; others are left out. */
  static Optional<List<PublicKey>> read(String jwks) {
    List<PublicKey> read = new ArrayList<>();
    for (JsonNode key :
        WireJson.any(jwks).map(node -> node.path("keys").values()).orElse(List.of())) {
      boolean usable =
          WireJson.text(key, "kty").equals(Optional.of("OKP"))
              && WireJson.text(key, "crv").equals(Optional.of("Ed25519"));
      if (usable && read.size() < MOST_KEYS) {
        WireJson.text(key, "x").flatMap(FalKeys::key).ifPresent(read::add);
      }
    }
    return read.isEmpty() ? Optional.empty() : Optional.of(List.copyOf(read));
  }

  private static Optional<PublicKey> key(String x) {
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(x);
      if (bytes.length != KEY_BYTES) {
        return Optional.empty();
      }
      byte[] encoded = new byte[HEAD.length + KEY_BYTES];
      System.arraycopy(HEAD, 0, encoded, 0, HEAD.length);
      System.arraycopy(bytes, 0, encoded, HEAD.length, KEY_BYTES);
      return Optional.of(
          KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded)));
    } catch (IllegalArgumentException | GeneralSecurityException e) {
      return Optional.empty();
    }
  }

  /** Why the call must not be believed; empty if it may be. */
  Optional<Refused> check(Map<String, List<String>> headers, byte[] body, Instant now)
      throws InterruptedException {
    String request = Headers.only(headers, "X-Fal-Webhook-Request-Id").orElse("");
    String user = Headers.only(headers, "X-Fal-Webhook-User-Id").orElse("");
    String time = Headers.only(headers, "X-Fal-Webhook-Timestamp").orElse("");
    String signature = Headers.only(headers, "X-Fal-Webhook-Signature").orElse("");
    if (request.isEmpty() || user.isEmpty() || !SECONDS.matcher(time).matches()) {
      return refused(Reason.UNSIGNED, "the signature's headers must all be there");
    }
    if (!SIGNATURE.matcher(signature).matches()) {
      return refused(Reason.UNSIGNED, "the signature must be 128 hex digits");
    }
    Optional<List<PublicKey>> known = keys.get();
    if (known.isEmpty()) {
      return refused(Reason.NO_KEYS, "the keys to check it with can't be had now");
    }
    String message = String.join("\n", request, user, time, Sha256.hex(body));
    boolean fits = fits(known.get(), message, signature);
    if (!fits) {
      // Perhaps the keys were replaced; how often that may be asked is bounded.
      Optional<List<PublicKey>> newer = keys.again();
      fits = newer.isPresent() && fits(newer.get(), message, signature);
    }
    if (!fits) {
      return refused(Reason.WRONG_SIGNATURE, "no published key fits the signature");
    }
    Duration age = Duration.between(Instant.ofEpochSecond(Long.parseLong(time)), now).abs();
    return age.compareTo(TOLERANCE) > 0
        ? refused(Reason.STALE, "it was signed more than 300 seconds from now")
        : Optional.empty();
  }

  private static boolean fits(List<PublicKey> known, String message, String signature) {
    byte[] bytes = HexFormat.of().parseHex(signature);
    for (PublicKey key : known) {
      try {
        Signature verifier = Signature.getInstance("Ed25519");
        verifier.initVerify(key);
        verifier.update(message.getBytes(StandardCharsets.UTF_8));
        if (verifier.verify(bytes)) {
          return true;
        }
      } catch (GeneralSecurityException e) {
        // Not even a signature to this key; the next one is asked all the same.
      }
    }
    return false;
  }

  private static Optional<Refused> refused(Reason reason, String message) {
    return Optional.of(new Refused(reason, message));
  }
}
