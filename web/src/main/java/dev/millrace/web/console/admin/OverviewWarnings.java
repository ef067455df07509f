package dev.millrace.web.console.admin;

import dev.millrace.postgres.Database;
import dev.millrace.postgres.webhooks.WebhookView;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.execution.ProviderOverview;
import dev.millrace.web.console.frame.Visit;
import dev.millrace.web.console.frame.Words;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a person should know of beside the queues: broken laws, breakers, webhooks, late results.
 */
final class OverviewWarnings {

  /** A result that nobody wanted for so long is nobody's concern any more. */
  private static final Duration LATE_NEWS = Duration.ofDays(7);

  private final Database database;
  private final ProviderOverview providers;

  OverviewWarnings(Database database, ProviderOverview providers) {
    this.database = database;
    this.providers = providers;
  }

  List<Overview.Notice> of(Visit visit) {
    return Stream.of(
            visit.may(Scope.DOCTOR_READ) ? laws() : List.<Overview.Notice>of(),
            visit.may(Scope.PROVIDERS_READ)
                ? breakers(visit.principal())
                : List.<Overview.Notice>of(),
            late(visit.principal()),
            webhooks(visit.tenant()))
        .flatMap(List::stream)
        .toList();
  }

  private List<Overview.Notice> laws() {
    return database.checkups().last().stream()
        .flatMap(last -> last.violated().stream())
        .map(law ->
            new Overview.Notice(
                "bad", "shield", "A law is broken: " + law, "/console/ledger", "Prove it"))
        .toList();
  }

  private List<Overview.Notice> breakers(Principal principal) {
    return providers.providers(principal).stream()
        .filter(provider -> provider.ready() && !ProviderPages.breaker(provider).equals("closed"))
        .map(provider ->
            new Overview.Notice(
                "bad",
                "plug",
                provider.standing().name() + " is in trouble; its jobs wait in their queue.",
                "/console/providers",
                "Providers"))
        .toList();
  }

  private List<Overview.Notice> late(Principal principal) {
    Instant since = Instant.now().minus(LATE_NEWS);
    long results =
        providers.late(principal).stream()
            .filter(result -> result.receivedAt().isAfter(since))
            .count();
    return results == 0
        ? List.of()
        : List.of(
            new Overview.Notice(
                "warn",
                "sand",
                Words.count(results, "result", "results")
                    + " came after the job had ended, and can be adopted.",
                "/console/providers",
                "Providers"));
  }

  /** One that somebody disabled himself is no news to him. */
  private List<Overview.Notice> webhooks(int tenant) {
    List<Overview.Notice> needs = new ArrayList<>();
    for (WebhookView webhook : database.webhooks().list(tenant)) {
      String at = "/console/webhooks/" + webhook.id();
      if (webhook.health().disabledAt() != null
          && !"asked".equals(webhook.health().disabledFor())) {
        String text = webhook.url() + " was disabled. " + WebhookPages.reason(webhook);
        needs.add(new Overview.Notice("bad", "bell", text, at, "Webhook"));
      } else if (webhook.health().disabledAt() == null && webhook.health().failingSince() != null) {
        String text =
            webhook.url()
                + " fails, for the first time "
                + Words.ago(webhook.health().failingSince())
                + ".";
        needs.add(new Overview.Notice("warn", "bell", text, at, "Webhook"));
      }
    }
    return needs;
  }
}
