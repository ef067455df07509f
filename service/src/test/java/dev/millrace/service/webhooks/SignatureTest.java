package dev.millrace.service.webhooks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.providers.wire.StandardWebhook;
import dev.millrace.testkit.outside.StandardSignature;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What we sign is what the libraries of others sign. */
class SignatureTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final byte[] BODY = "{\"a\":\"é\"}".getBytes(UTF_8);

  static Stream<JsonNode> vectors() throws IOException {
    try (InputStream file =
        Objects.requireNonNull(
            SignatureTest.class.getResourceAsStream("/recorded/webhook-signatures.json"))) {
      JsonNode vectors = JsonMapper.shared().readTree(file.readAllBytes()).path("vectors");
      assertThat(vectors.size()).isGreaterThan(20);
      return vectors.values().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void each_recorded_message_gets_the_recorded_signature(JsonNode vector) {
    assertThat(
            Signature.sign(
                vector.path("secret").asString(),
                vector.path("id").asString(),
                vector.path("timestamp").asString(),
                vector.path("body").asString().getBytes(UTF_8)))
        .isEqualTo(vector.path("expected").asString());
  }

  private static boolean accepted(String secret, Map<String, String> headers) {
    return StandardWebhook.check(
            List.of(secret),
            headers.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, each -> List.of(each.getValue()))),
            BODY,
            NOW)
        .isEmpty();
  }

  @Test
  void each_of_two_secrets_can_check_the_same_message() {
    EndpointSecrets secrets = new EndpointSecrets(List.of(new byte[32]));
    UUID id = new UUID(1, 2);
    String first = secrets.make(id, 1);
    String second = secrets.make(id, 2);
    Map<String, String> headers = Signature.headers(List.of(second, first), "msg_1", NOW, BODY);

    assertThat(first).isNotEqualTo(second).startsWith("whsec_");
    assertThat(accepted(first, headers)).isTrue();
    assertThat(accepted(second, headers)).isTrue();
    assertThat(accepted(secrets.make(id, 3), headers)).isFalse();
    assertThat(headers.get("webhook-signature"))
        .isEqualTo(
            StandardSignature.of(second, "msg_1", "1772366400", new String(BODY, UTF_8))
                + " "
                + StandardSignature.of(first, "msg_1", "1772366400", new String(BODY, UTF_8)));
  }

  @Test
  void a_node_with_another_installations_secret_finds_nothing_to_sign_with() {
    UUID id = new UUID(1, 2);
    String made = new EndpointSecrets(List.of(new byte[] {1})).make(id, 1);
    String hash = EndpointSecrets.hash(made);

    assertThat(new EndpointSecrets(List.of(new byte[] {2})).find(id, 1, hash)).isEmpty();
    assertThat(new EndpointSecrets(List.of(new byte[] {2}, new byte[] {1})).find(id, 1, hash))
        .contains(made);
  }
}
