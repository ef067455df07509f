package dev.millrace.web.api.webhook;

import dev.millrace.postgres.webhooks.WebhookView;
import dev.millrace.service.webhooks.Outgoing;
import dev.millrace.web.http.ProblemException;
import java.util.Optional;

/** What somebody is told who wants something of an endpoint that can't be. */
public final class WebhookRefusals {

  private WebhookRefusals() {}

  public static Outgoing.Shown requireCreated(Optional<Outgoing.Shown> made) {
    return made.orElseThrow(() ->
        new ProblemException(
            409,
            "too_many_webhooks",
            "There are as many webhooks as a tenant may have. Delete one first."));
  }

  public static Outgoing.Shown requireRotated(Optional<Outgoing.Shown> rotated) {
    return rotated.orElseThrow(() ->
        new ProblemException(
            409,
            "transition_denied",
            "Somebody else has just rotated this secret. Look who it was in the audit."));
  }

  /** Whether something was sent again; a disabled endpoint gets nothing. */
  public static void requireSent(boolean sent) {
    if (!sent) {
      throw new ProblemException(
          409, "webhook_disabled", "This webhook is disabled. Enable it first, then send again.");
    }
  }

  public static void requireEnabled(WebhookView webhook) {
    requireSent(webhook.health().disabledAt() == null);
  }
}
