package dev.millrace.providers.replicate;

import dev.millrace.providers.wire.StandardWebhook;
import dev.millrace.spi.provider.AsyncProvider;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * How Replicate is reached, and as whom.
 *
 * @param api usually {@code https://api.replicate.com/v1}
 * @param token of the account
 * @param webhookSecrets any of which may sign; several while one is being replaced. If there is
 *     none, the account's own is asked for.
 * @param patience for one call
 * @param settlingTime how long after it was made a prediction may still appear in the list
 */
public record ReplicateAccount(
    URI api, String token, List<String> webhookSecrets, Duration patience, Duration settlingTime) {

  public static final URI USUAL_API = URI.create("https://api.replicate.com/v1");
  public static final Duration USUAL_PATIENCE = Duration.ofSeconds(30);

  public ReplicateAccount {
    webhookSecrets = webhookSecrets.stream().map(String::strip).toList();
    if (api.getHost() == null || api.getPath().endsWith("/")) {
      throw new IllegalArgumentException("the API's address has a host and no slash at its end");
    }
    if (!settlingTime.isPositive()) {
      throw new IllegalArgumentException("the settling time must be positive");
    }
    if (token.isBlank()) {
      throw new IllegalArgumentException("the account has no token");
    }
    if (!webhookSecrets.stream().allMatch(StandardWebhook::isSecret)) {
      throw new IllegalArgumentException("a webhook secret is base64, usually after whsec_");
    }
  }

  /** With the usual settling time. */
  public ReplicateAccount(URI api, String token, List<String> webhookSecrets, Duration patience) {
    this(api, token, webhookSecrets, patience, AsyncProvider.USUAL_SETTLING_TIME);
  }

  public static ReplicateAccount of(String token, List<String> webhookSecrets) {
    return new ReplicateAccount(USUAL_API, token, webhookSecrets, USUAL_PATIENCE);
  }

  /** Without the secrets. */
  @Override
  public String toString() {
    return "ReplicateAccount[" + api + "]";
  }
}
