package dev.millrace.service.webhooks;

import dev.millrace.contract.digest.HmacSha256;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Signs a message as the Standard Webhooks specification says. */
public final class Signature {

  public static final String PREFIX = "whsec_";

  private static final String VERSION = "v1,";

  private Signature() {}

  /** The secret that is these bytes. */
  public static String secret(byte[] bytes) {
    return PREFIX + Base64.getEncoder().encodeToString(bytes);
  }

  /** The three headers of a message; each secret makes a signature of its own. */
  public static Map<String, String> headers(
      Collection<String> secrets, String id, Instant now, byte[] body) {
    String seconds = Long.toString(now.getEpochSecond());
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("webhook-id", id);
    headers.put("webhook-timestamp", seconds);
    headers.put(
        "webhook-signature",
        secrets.stream()
            .map(secret -> sign(secret, id, seconds, body))
            .collect(Collectors.joining(" ")));
    return headers;
  }

  static String sign(String secret, String id, String seconds, byte[] body) {
    String key = secret.startsWith(PREFIX) ? secret.substring(PREFIX.length()) : secret;
    byte[] hash = HmacSha256.of(Base64.getDecoder().decode(key), id + "." + seconds + ".", body);
    return VERSION + Base64.getEncoder().encodeToString(hash);
  }
}
