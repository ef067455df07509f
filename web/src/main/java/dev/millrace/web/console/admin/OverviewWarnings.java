package dev.millrace.web.console.admin;

import dev.millrace.postgres.Database;
import dev.millrace.postgres.webhooks.WebhookView;
import dev.millrace.web.console.frame.Visit;
import dev.millrace.web.console.frame.Words;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * What a person should know of beside the queues: broken laws, breakers, webhooks, late results.
 */
final class OverviewWarnings {

  /** A result that nobody wanted for so long is nobody's concern any more. */
  private static final Duration LATE_NEWS = Duration.ofDays(7);

  private final Database database;

  OverviewWarnings(Database database) {
    this.database = database;
  }

  List<Overview.Need> of(Visit visit) throws Exception {
    JsonNode providers = visit.get("/api/admin/providers");
    return Stream.of(laws(), breakers(providers), late(providers), webhooks(visit.tenant()))
        .flatMap(List::stream)
        .toList();
  }

  private List<Overview.Need> laws() {
    return database.checkups().last().stream()
        .flatMap(last -> last.violated().stream())
        .map(law ->
            new Overview.Need(
                "bad", "shield", "A law is broken: " + law, "/console/ledger", "Prove it"))
        .toList();
  }

  private static List<Overview.Need> breakers(JsonNode providers) {
    return ProviderPages.providers(providers).stream()
        .filter(provider -> provider.ready() && !provider.breaker().equals("closed"))
        .map(provider ->
            new Overview.Need(
                "bad",
                "plug",
                provider.name() + " is in trouble; its jobs wait in their queue.",
                "/console/providers",
                "Providers"))
        .toList();
  }

  private static List<Overview.Need> late(JsonNode providers) {
    Instant since = Instant.now().minus(LATE_NEWS);
    long results =
        providers
            .path("late_results")
            .valueStream()
            .filter(result -> Instant.parse(result.path("received_at").asString("")).isAfter(since))
            .count();
    return results == 0
        ? List.of()
        : List.of(
            new Overview.Need(
                "warn",
                "sand",
                Words.count(results, "result", "results")
                    + " came after the job had ended, and can be adopted.",
                "/console/providers",
                "Providers"));
  }

  /** One that somebody disabled himself is no news to him. */
  private List<Overview.Need> webhooks(int tenant) {
    List<Overview.Need> needs = new ArrayList<>();
    for (WebhookView webhook : database.webhooks().list(tenant)) {
      String at = "/console/webhooks/" + webhook.id();
      if (webhook.disabledAt() != null && !"asked".equals(webhook.disabledFor())) {
        String text = webhook.url() + " was disabled. " + WebhookPages.reason(webhook);
        needs.add(new Overview.Need("bad", "bell", text, at, "Webhook"));
      } else if (webhook.disabledAt() == null && webhook.failingSince() != null) {
        String text =
            webhook.url() + " fails, for the first time " + Words.ago(webhook.failingSince()) + ".";
        needs.add(new Overview.Need("warn", "bell", text, at, "Webhook"));
      }
    }
    return needs;
  }
}
