package dev.millrace.service.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.providers.replicate.ReplicateAccount;
import dev.millrace.providers.replicate.ReplicateProvider;
import dev.millrace.sketch.SketchProvider;
import dev.millrace.spi.provider.Verification;
import dev.millrace.testkit.outside.StandardSignature;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AccountsTest {

  private static final String OURS = "whsec_b3VycyBvdXJzIG91cnMgb3Vycw==";
  private static final String THEIRS = "whsec_dGhlaXJzIHRoZWlycyB0aGVpcnM=";
  private static final int ACME = 2;

  private final ReplicateProvider everybodys =
      new ReplicateProvider(ReplicateAccount.of("r8_ours", List.of(OURS)));
  private final ReplicateProvider acmes =
      new ReplicateProvider(ReplicateAccount.of("r8_theirs", List.of(THEIRS)));
  private final Accounts accounts =
      new Accounts(
          Map.of("replicate", everybodys, "sketch", new SketchProvider()),
          Map.of("acme", Map.of("replicate", acmes)),
          tenant -> tenant == ACME ? "acme" : "default");

  @Test
  void a_tenant_with_an_account_of_its_own_uses_it() {
    assertThat(accounts.service("replicate", ACME)).containsSame(acmes);
    assertThat(accounts.service("replicate", 1)).containsSame(everybodys);
    assertThat(accounts.service("sketch", 1)).isEmpty();
    assertThat(accounts.of("fal", 1)).isEmpty();
    assertThat(accounts.names()).containsExactly("replicate", "sketch");
    assertThat(accounts.isService("sketch")).isFalse();
  }

  @Test
  void a_call_is_believed_if_any_account_believes_it() throws InterruptedException {
    for (String secret : List.of(OURS, THEIRS)) {
      assertThat(verified(secret)).isInstanceOf(Verification.Genuine.class);
    }
    assertThat(verified("whsec_c29tZWJvZHkgZWxzZSdzIHNlY3JldA=="))
        .isInstanceOf(Verification.Refused.class);
    assertThat(accounts.verify("fal", Map.of(), new byte[0])).isEmpty();
  }

  private Verification verified(String secret) throws InterruptedException {
    String body = "{\"id\":\"gm3qorzdhgbfurvjtvhg6dc001\",\"status\":\"succeeded\"}";
    String now = String.valueOf(Instant.now().getEpochSecond());
    return accounts
        .verify(
            "replicate",
            Map.of(
                "webhook-id", List.of("msg_1"),
                "webhook-timestamp", List.of(now),
                "webhook-signature", List.of(StandardSignature.of(secret, "msg_1", now, body))),
            body.getBytes(StandardCharsets.UTF_8))
        .orElseThrow();
  }
}
