package dev.millrace.providers.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.spi.provider.Verification.Reason;
import dev.millrace.spi.provider.Verification.Refused;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The recorded vectors, each with what the libraries of others said to it. */
class StandardWebhookTest {

  private static final String OTHER = "whsec_QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo=";

  /** Where the libraries are laxer than we want to be. */
  private static final String LAX =
      "timestamp with trailing garbage (signed over the number): reject";

  static Stream<JsonNode> vectors() throws IOException {
    try (InputStream file =
        Objects.requireNonNull(
            StandardWebhookTest.class.getResourceAsStream("/recorded/webhooks/vectors.json"))) {
      JsonNode vectors = JsonMapper.shared().readTree(file.readAllBytes()).path("vectors");
      assertThat(vectors.size()).isEqualTo(30);
      return vectors.values().stream();
    }
  }

  private static Optional<Refused> check(JsonNode vector, List<String> secrets) {
    Map<String, List<String>> headers = new HashMap<>();
    for (String part : List.of("id", "timestamp", "signature")) {
      headers.put("Webhook-" + part, List.of(vector.path(part).asString()));
    }
    return StandardWebhook.check(
        secrets,
        headers,
        vector.path("body").asString().getBytes(StandardCharsets.UTF_8),
        Instant.ofEpochSecond(vector.path("now").asLong()));
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void each_recorded_vector_is_judged_as_the_reference_library_does(JsonNode vector) {
    String name = vector.path("name").asString();
    boolean genuine =
        vector.path("results").path("standardwebhooks").asBoolean(false) && !name.equals(LAX);

    assertThat(check(vector, List.of(vector.path("secret").asString())).isEmpty())
        .as(name)
        .isEqualTo(genuine);
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void while_a_secret_is_replaced_either_will_do(JsonNode vector) {
    String secret = vector.path("secret").asString();
    boolean genuine = check(vector, List.of(secret)).isEmpty();

    assertThat(check(vector, List.of(OTHER, secret)).isEmpty()).isEqualTo(genuine);
    assertThat(check(vector, List.of(secret, OTHER)).isEmpty()).isEqualTo(genuine);
    assertThat(check(vector, List.of(OTHER))).isPresent();
    assertThat(check(vector, List.of())).isPresent();
  }

  @Test
  void a_stale_call_and_a_forged_one_are_told_apart() throws IOException {
    JsonNode stale =
        vectors()
            .filter(vector -> vector.path("name").asString().startsWith("timestamp 301 s old"))
            .findFirst()
            .orElseThrow();
    String secret = stale.path("secret").asString();

    assertThat(check(stale, List.of(secret)).orElseThrow().reason()).isEqualTo(Reason.STALE);
    assertThat(check(stale, List.of(OTHER)).orElseThrow().reason())
        .isEqualTo(Reason.WRONG_SIGNATURE);
  }

  @Test
  void bytes_that_are_no_text_are_signed_as_bytes() {
    byte[] body = {(byte) 0xff, (byte) 0xfe, 0, 'x'};
    byte[] other = {(byte) 0xfd, (byte) 0xfe, 0, 'x'};
    // Both would be the same text with two replaced characters.
    assertThat(new String(body, StandardCharsets.UTF_8))
        .isEqualTo(new String(other, StandardCharsets.UTF_8));
    Map<String, List<String>> headers =
        Map.of(
            "webhook-id", List.of("msg_1"),
            "webhook-timestamp", List.of("1794700000"),
            "webhook-signature", List.of(sign("msg_1.1794700000.", body)));
    Instant now = Instant.ofEpochSecond(1794700000);

    assertThat(StandardWebhook.check(List.of(OTHER), headers, body, now)).isEmpty();
    assertThat(StandardWebhook.check(List.of(OTHER), headers, other, now)).isPresent();
  }

  private static String sign(String head, byte[] body) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      byte[] key = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".getBytes(StandardCharsets.UTF_8);
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      mac.update(head.getBytes(StandardCharsets.UTF_8));
      return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
