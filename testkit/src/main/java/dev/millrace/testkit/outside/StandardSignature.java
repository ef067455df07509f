package dev.millrace.testkit.outside;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs as the Standard Webhooks specification says, written apart from the code that checks. */
public final class StandardSignature {

  private StandardSignature() {}

  public static String of(String secret, String id, String timestamp, String body) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(
          new SecretKeySpec(
              Base64.getDecoder().decode(secret.replaceFirst("^whsec_", "")), "HmacSHA256"));
      String content = id + "." + timestamp + "." + body;
      byte[] hash = mac.doFinal(content.getBytes(StandardCharsets.UTF_8));
      return "v1," + Base64.getEncoder().encodeToString(hash);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
