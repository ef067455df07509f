package dev.millrace.web.console.admin;

import dev.millrace.postgres.Database;
import dev.millrace.postgres.webhooks.Deliveries;
import dev.millrace.postgres.webhooks.DeliveryState;
import dev.millrace.postgres.webhooks.DeliveryView;
import dev.millrace.postgres.webhooks.WebhookView;
import dev.millrace.postgres.webhooks.Webhooks;
import dev.millrace.service.access.Scope;
import dev.millrace.service.webhooks.EventTypes;
import dev.millrace.service.webhooks.Outgoing;
import dev.millrace.service.webhooks.WebhookActions;
import dev.millrace.web.api.webhook.WebhookReader;
import dev.millrace.web.api.webhook.WebhookRefusals;
import dev.millrace.web.console.frame.OneTimeSecrets;
import dev.millrace.web.console.frame.PageAccess;
import dev.millrace.web.console.frame.Visit;
import dev.millrace.web.console.job.JobPages;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Endpoints that are told what happens, what was sent to them, and what came back. */
public final class WebhookPages {

  private static final int PAGE = 50;
  private static final String HOME = "/console/webhooks";
  private static final String ONE = HOME + "/{id}";
  private static final String MESSAGE = ONE + "/deliveries/{message}";

  private final PageAccess doors;
  private final Database database;
  private final Outgoing outgoing;
  private final WebhookActions actions;
  private final OneTimeSecrets once;

  public WebhookPages(
      PageAccess doors,
      Database database,
      Outgoing outgoing,
      WebhookActions actions,
      OneTimeSecrets once) {
    this.doors = doors;
    this.database = database;
    this.outgoing = outgoing;
    this.actions = actions;
    this.once = once;
  }

  /**
   * What was sent to one endpoint, a page of it.
   *
   * @param state only these, or null for any
   * @param next where the next page begins, or empty
   */
  public record DeliveryPage(
      List<DeliveryView> deliveries, @Nullable DeliveryState state, String next) {

    /** The state in a word, or empty for any. */
    public String label() {
      return state == null ? "" : state.label();
    }
  }

  /** What an endpoint can ask for, in the order in which a job goes through it. */
  public static List<String> eventTypes() {
    return Stream.concat(Stream.of(EventTypes.ALL), EventTypes.askable().stream().sorted())
        .toList();
  }

  /** Whether it works, in a word that has an icon. */
  public static String standing(WebhookView webhook) {
    if (webhook.health().disabledAt() != null) {
      return "disabled";
    }
    return webhook.health().failingSince() == null ? "enabled" : "failing";
  }

  /** Why it is disabled, for a person. */
  public static String reason(WebhookView webhook) {
    return switch (webhook.health().disabledFor()) {
      case "gone" -> "It answered 410 Gone, which asks for no more.";
      case "failing" -> "It took nothing for too long.";
      case null -> "";
      default -> "Somebody disabled it.";
    };
  }

  public List<Route> routes() {
    return List.of(
        doors.page(HOME, Scope.WEBHOOKS_READ, this::list),
        doors.deed(HOME, Scope.WEBHOOKS_WRITE, this::create),
        doors.page(ONE, Scope.WEBHOOKS_READ, this::show),
        doors.page(MESSAGE, Scope.WEBHOOKS_READ, this::delivery),
        doors.deed(MESSAGE + "/redeliver", Scope.WEBHOOKS_WRITE, this::redeliver),
        doors.deed(ONE + "/change", Scope.WEBHOOKS_WRITE, this::change),
        doors.deed(ONE + "/rotate", Scope.WEBHOOKS_WRITE, this::rotate),
        doors.deed(ONE + "/delete", Scope.WEBHOOKS_WRITE, this::delete),
        doors.deed(ONE + "/redeliver", Scope.WEBHOOKS_WRITE, this::redeliverFailed),
        doors.deed(ONE + "/{deed}", Scope.WEBHOOKS_WRITE, this::deed));
  }

  private Response list(Visit visit) {
    return doors
        .html()
        .page(
            200,
            "webhooks",
            Map.of(
                "page",
                visit.page("Webhooks", "webhooks"),
                "webhooks",
                database.webhooks().list(visit.tenant())));
  }

  private WebhookView find(Visit visit) {
    return actions.find(visit.principal(), visit.id()).orElseThrow(ProblemException::notFound);
  }

  private Response show(Visit visit) {
    WebhookView webhook = find(visit);
    @Nullable DeliveryState state = DeliveryState.find(visit.query("state")).orElse(null);
    String before = visit.query("before");
    @Nullable Long cursor = before.matches("[0-9]{1,18}") ? Long.valueOf(before) : null;
    List<DeliveryView> found =
        database
            .deliveries()
            .list(new Deliveries.Filter(visit.tenant(), webhook.id(), state, cursor, PAGE));
    String next = found.size() < PAGE ? "" : Long.toString(found.getLast().n());
    return doors
        .html()
        .page(
            200,
            "webhook",
            Map.of(
                "page",
                visit.page("Webhook", "webhooks"),
                "webhook",
                webhook,
                "sent",
                new DeliveryPage(found, state, next)));
  }

  private Response delivery(Visit visit) {
    WebhookView webhook = find(visit);
    DeliveryView delivery = delivery(visit, webhook);
    Map<String, Object> model = new HashMap<>();
    model.put("page", visit.page("Delivery", "webhooks"));
    model.put("webhook", webhook);
    model.put("delivery", delivery);
    model.put("attempts", database.deliveries().attempts(delivery).reversed());
    model.put("payload", JobPages.pretty(delivery.content().payload()));
    return doors.html().page(200, "delivery", model);
  }

  private DeliveryView delivery(Visit visit, WebhookView webhook) {
    return actions
        .delivery(webhook, visit.request().pathParameter("message"))
        .orElseThrow(ProblemException::notFound);
  }

  private static String home(Visit visit) {
    return HOME + "/" + visit.id();
  }

  private Webhooks.Wish wish(Visit visit) {
    ObjectNode body = JsonMapper.shared().createObjectNode().put("url", visit.field("url"));
    if (!visit.field("description").isEmpty()) {
      body.put("description", visit.field("description"));
    }
    List<String> events = visit.form().getOrDefault("event", List.of());
    if (!events.isEmpty()) {
      events.forEach(body.putArray("events")::add);
    }
    return WebhookReader.read(body, outgoing);
  }

  private Response create(Visit visit) {
    Outgoing.Shown made =
        WebhookRefusals.requireCreated(actions.create(visit.principal(), wish(visit)));
    return secret(visit, "New webhook", made.secret(), made.webhook().id().toString());
  }

  private Response rotate(Visit visit) {
    Outgoing.Shown made =
        WebhookRefusals.requireRotated(
            actions.rotate(visit.principal(), find(visit), WebhookActions.USUAL_OVERLAP));
    return secret(visit, "New secret", made.secret(), visit.id().toString());
  }

  private Response secret(Visit visit, String title, String secret, String id) {
    return once.lead(
        visit,
        title,
        "webhooks",
        "The secret that signs what is sent to this endpoint",
        secret,
        HOME + "/" + id);
  }

  private Response change(Visit visit) {
    UUID id = find(visit).id();
    if (actions.change(visit.principal(), id, wish(visit)).isEmpty()) {
      throw ProblemException.notFound();
    }
    return visit.to(home(visit) + "?done=changed");
  }

  private Response delete(Visit visit) {
    if (!actions.remove(visit.principal(), visit.id())) {
      throw ProblemException.notFound();
    }
    return visit.to(HOME + "?done=removed");
  }

  private Response deed(Visit visit) {
    String deed = visit.request().pathParameter("deed");
    Optional<?> done =
        switch (deed) {
          case "enable" -> actions.enable(visit.principal(), visit.id());
          case "disable" -> actions.disable(visit.principal(), visit.id());
          case "test" -> outgoing.test(find(visit));
          default -> Optional.empty();
        };
    if (done.isEmpty()) {
      throw ProblemException.notFound();
    }
    return visit.to(home(visit) + "?done=webhook-" + deed);
  }

  private Response redeliver(Visit visit) {
    WebhookView webhook = find(visit);
    DeliveryView delivery = delivery(visit, webhook);
    WebhookRefusals.requireSent(outgoing.redeliver(webhook, delivery.content().message()));
    return visit.to(
        home(visit) + "/deliveries/" + delivery.content().message() + "?done=redelivered");
  }

  private Response redeliverFailed(Visit visit) {
    Duration back =
        switch (visit.field("since")) {
          case "1h" -> Duration.ofHours(1);
          case "7d" -> Duration.ofDays(7);
          default -> Duration.ofDays(1);
        };
    WebhookView webhook = find(visit);
    WebhookRefusals.requireEnabled(webhook);
    outgoing.redeliver(webhook, Instant.now().minus(back));
    return visit.to(home(visit) + "?done=redelivered");
  }
}
