package dev.millrace.testkit.fal;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

/** A pair of keys, of which one signs and the other is published. */
final class FalSigner {

  private static final int KEY_BYTES = 32;

  private final KeyPair keys;

  FalSigner() {
    try {
      keys = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The public key, beside one of another kind that nobody can use here. */
  String jwks() {
    byte[] encoded = keys.getPublic().getEncoded();
    byte[] raw = Arrays.copyOfRange(encoded, encoded.length - KEY_BYTES, encoded.length);
    String x = Base64.getUrlEncoder().withoutPadding().encodeToString(raw);
    return "{\"keys\":[{\"kty\":\"RSA\",\"n\":\"AQAB\"},"
        + "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\""
        + x
        + "\"}]}";
  }

  String sign(String request, String user, String timestamp, String body) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(body.getBytes(StandardCharsets.UTF_8));
      String message =
          request + "\n" + user + "\n" + timestamp + "\n" + HexFormat.of().formatHex(hash);
      Signature signature = Signature.getInstance("Ed25519");
      signature.initSign(keys.getPrivate());
      signature.update(message.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
