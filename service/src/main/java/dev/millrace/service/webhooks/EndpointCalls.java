package dev.millrace.service.webhooks;

import dev.millrace.postgres.webhooks.WebhookView;
import dev.millrace.postgres.webhooks.Webhooks;
import dev.millrace.providers.fetch.AllowList;
import dev.millrace.providers.fetch.Content;
import dev.millrace.providers.fetch.FetchClient;
import dev.millrace.providers.fetch.FetchLimits;
import dev.millrace.providers.fetch.FetchPolicy;
import dev.millrace.providers.fetch.FetchRequest;
import dev.millrace.providers.fetch.FetchResult;
import dev.millrace.providers.fetch.FetchStream;
import dev.millrace.providers.fetch.FetchTrouble;
import dev.millrace.storage.url.SigningKeys;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls an endpoint and reads what it answers: signed as webhooks are, and sent by the same rules.
 * Only an endpoint that asks for such calls by their name gets any.
 */
public final class EndpointCalls {

  private static final int MOST_BYTES = 1 << 20;
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration TOTAL = Duration.ofSeconds(60);
  private static final FetchLimits LIMITS =
      new FetchLimits(CONNECT, TOTAL, TOTAL, TOTAL, MOST_BYTES, 0);

  private final Webhooks webhooks;
  private final EndpointSecrets secrets;
  private final FetchClient client;
  private final InstantSource clock;

  public EndpointCalls(
      Webhooks webhooks, SigningKeys keys, AllowList allowed, InstantSource clock) {
    this.webhooks = webhooks;
    this.secrets = EndpointSecrets.of(keys);
    this.client = new FetchClient(FetchPolicy.PUBLIC_WEB.allowing(allowed));
    this.clock = clock;
  }

  /** Which endpoint is to be called. */
  public sealed interface Choice {

    record Chosen(WebhookView endpoint) implements Choice {}

    /** The reason is for whoever asked for the job. */
    record None(String why) implements Choice {}
  }

  /**
   * The endpoint of a tenant that asks for such calls.
   *
   * @param named the one that is wanted; null if there can be only one
   */
  public Choice choose(int tenant, String type, @Nullable UUID named) {
    List<WebhookView> asking =
        webhooks.list(tenant).stream()
            .filter(each -> each.events().contains(type))
            .filter(each -> named == null || each.id().equals(named))
            .toList();
    if (asking.isEmpty()) {
      return new Choice.None("No endpoint asks for " + type + ".");
    }
    if (asking.size() > 1) {
      return new Choice.None("Several endpoints ask for " + type + ": name one.");
    }
    WebhookView only = asking.getFirst();
    return only.health().disabledAt() == null
        ? new Choice.Chosen(only)
        : new Choice.None("The endpoint is disabled.");
  }

  /**
   * What is sent.
   *
   * @param id the same whenever the same is sent again
   */
  public record Message(String id, Content body) {}

  /** What came of a call. */
  public sealed interface Reply {

    record Answered(int status, Content body, Optional<Duration> retryAfter) implements Reply {}

    /** It may have arrived or not. */
    record Unanswered(String why) implements Reply {}

    /** Nothing was sent, and nothing will be as long as that stays so. */
    record Refused(String why) implements Reply {}

    /** Whoever sent it does not wait any more. */
    record Stopped() implements Reply {}
  }

  public Reply call(WebhookView endpoint, Message message, BooleanSupplier stop) {
    List<String> signing = signing(endpoint);
    if (signing.isEmpty()) {
      return new Reply.Refused("This node can't sign for the endpoint: rotate its secret.");
    }
    byte[] body = message.body().bytes();
    FetchRequest request =
        FetchRequest.post(endpoint.url(), "application/json", body)
            .header("User-Agent", "Millrace-Transfers")
            .header("Idempotency-Key", message.id())
            .within(LIMITS)
            .stopWhen(stop);
    Signature.headers(signing, message.id(), clock.instant(), body).forEach(request::header);
    try (FetchStream stream = client.open(request)) {
      return new Reply.Answered(stream.status(), stream.readAll(), stream.headers().retryAfter());
    } catch (FetchTrouble e) {
      return reply(e.trouble());
    }
  }

  private static Reply reply(FetchResult.Trouble trouble) {
    return switch (trouble) {
      case FetchResult.Refused(var reason) -> new Reply.Refused("Not sent: " + reason.text() + ".");
      case FetchResult.TimedOut _ -> new Reply.Unanswered("The endpoint did not answer in time.");
      case FetchResult.TooLarge _ -> new Reply.Unanswered("The endpoint's answer is too large.");
      case FetchResult.Unreachable(var gap) ->
          new Reply.Unanswered("No answer from the endpoint: " + gap.text() + ".");
      case FetchResult.Stopped _ -> new Reply.Stopped();
    };
  }

  private List<String> signing(WebhookView endpoint) {
    WebhookView.Secret secret = endpoint.secret();
    List<String> signing = new ArrayList<>();
    secrets.find(endpoint.id(), secret.secretNumber(), secret.secretHash()).ifPresent(signing::add);
    if (secret.previousHash() != null && !signing.isEmpty()) {
      secrets
          .find(endpoint.id(), secret.secretNumber() - 1, secret.previousHash())
          .ifPresent(signing::add);
    }
    return signing;
  }
}
