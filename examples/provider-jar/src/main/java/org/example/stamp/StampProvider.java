package org.example.stamp;

import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Output;
import dev.millrace.spi.provider.Provider;
import dev.millrace.spi.provider.Work;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Writes a text's HMAC, so that whoever has the key can tell that it was not changed. */
final class StampProvider implements Provider {

  private static final String ALGORITHM = "HmacSHA256";

  private final String label;
  private final SecretKeySpec key;

  StampProvider(String label, String key) {
    this.label = label;
    this.key = new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), ALGORITHM);
  }

  @Override
  public String name() {
    return "stamp";
  }

  @Override
  public Outcome execute(Work work) {
    if (!(work.input().get("text") instanceof String text)) {
      return new Outcome.Failed("text must be text.");
    }
    work.progress(50, "stamping", "Stamping the text");
    byte[] stamp = (label + " " + hmac(text) + "\n").getBytes(StandardCharsets.UTF_8);
    return new Outcome.Succeeded(
        List.of(new Output("stamp.txt", "text/plain", out -> out.write(stamp))), Map.of());
  }

  private String hmac(String text) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }
}
