package dev.millrace.providers.fal;

import java.net.URI;
import java.time.Duration;

/**
 * How fal is reached, and as whom.
 *
 * @param queue usually {@code https://queue.fal.run}
 * @param jwks where fal publishes the keys that its webhooks are signed with
 * @param key of the account
 * @param patience for one call
 */
public record FalAccount(URI queue, URI jwks, String key, Duration patience) {

  public static final URI USUAL_QUEUE = URI.create("https://queue.fal.run");
  public static final URI USUAL_JWKS = URI.create("https://rest.fal.ai/.well-known/jwks.json");
  public static final Duration USUAL_PATIENCE = Duration.ofSeconds(30);

  public FalAccount {
    if (queue.getHost() == null || queue.toString().endsWith("/") || jwks.getHost() == null) {
      throw new IllegalArgumentException("the queue's address has a host and no slash at its end");
    }
    if (key.isBlank()) {
      throw new IllegalArgumentException("the account has no key");
    }
  }

  public static FalAccount of(String key) {
    return new FalAccount(USUAL_QUEUE, USUAL_JWKS, key, USUAL_PATIENCE);
  }

  /** Without the key. */
  @Override
  public String toString() {
    return "FalAccount[" + queue + "]";
  }
}
