package dev.millrace.providers.http;

import dev.millrace.testkit.clips.ClipsDouble;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs as services do that have no standard for it. */
final class Hmac {

  private Hmac() {}

  static String hex(String time, byte[] body) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(ClipsDouble.SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    mac.update((time + ".").getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(mac.doFinal(body));
  }
}
