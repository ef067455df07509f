package dev.millrace.web.api.webhook;

import dev.millrace.postgres.webhooks.Deliveries;
import dev.millrace.postgres.webhooks.DeliveryState;
import dev.millrace.postgres.webhooks.DeliveryView;
import dev.millrace.postgres.webhooks.WebhookView;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.webhooks.Outgoing;
import dev.millrace.service.webhooks.WebhookActions;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.request.Body;
import dev.millrace.web.api.request.Params;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What was sent to an endpoint, what came back, and sending it again. */
public final class DeliveryRoutes {

  private static final String PATH = "/api/admin/webhooks/{id}";

  private final Authentication authentication;
  private final Outgoing outgoing;
  private final WebhookActions actions;

  public DeliveryRoutes(Authentication authentication, Outgoing outgoing, WebhookActions actions) {
    this.authentication = authentication;
    this.outgoing = outgoing;
    this.actions = actions;
  }

  public List<Route> routes() {
    return List.of(
        Route.post(PATH + "/test", authentication.require(Scope.WEBHOOKS_WRITE, this::test)),
        Route.post(
            PATH + "/redeliver",
            authentication.require(Scope.WEBHOOKS_WRITE, this::redeliverFailed)),
        Route.get(PATH + "/deliveries", authentication.require(Scope.WEBHOOKS_READ, this::list)),
        Route.get(
            PATH + "/deliveries/{message}",
            authentication.require(Scope.WEBHOOKS_READ, this::show)),
        Route.post(
            PATH + "/deliveries/{message}/redeliver",
            authentication.require(Scope.WEBHOOKS_WRITE, this::redeliver)));
  }

  private WebhookView webhook(Request request, Principal principal) {
    return actions.find(principal, Params.id(request)).orElseThrow(ProblemException::notFound);
  }

  private DeliveryView delivery(WebhookView webhook, Request request) {
    return actions
        .delivery(webhook, request.pathParameter("message"))
        .orElseThrow(ProblemException::notFound);
  }

  private Response test(Request request, Principal principal) {
    Body.ofOptional(request).requireGood();
    return Response.json(
        202,
        WebhookJson.delivery(
            outgoing.test(webhook(request, principal)).orElseThrow(ProblemException::notFound)));
  }

  private Response list(Request request, Principal principal) {
    WebhookView webhook = webhook(request, principal);
    @Nullable DeliveryState state = request.query("state").map(DeliveryRoutes::state).orElse(null);
    int limit = Params.limit(request);
    List<DeliveryView> found =
        outgoing
            .deliveries()
            .list(
                new Deliveries.Filter(
                    webhook.tenantId(), webhook.id(), state, Params.numberCursor(request), limit));
    ObjectNode page = JsonMapper.shared().createObjectNode();
    var items = page.putArray("items");
    found.forEach(delivery -> items.add(WebhookJson.delivery(delivery)));
    page.put("next_cursor", found.size() < limit ? null : Long.toString(found.getLast().n()));
    return Response.json(200, page);
  }

  private static DeliveryState state(String label) {
    return DeliveryState.find(label)
        .orElseThrow(
            () -> ProblemException.invalid("state", "must be pending, delivered, failed or held"));
  }

  private Response show(Request request, Principal principal) {
    DeliveryView delivery = delivery(webhook(request, principal), request);
    return Response.json(
        200, WebhookJson.whole(delivery, outgoing.deliveries().attempts(delivery)));
  }

  private Response redeliver(Request request, Principal principal) {
    Body.ofOptional(request).requireGood();
    WebhookView webhook = webhook(request, principal);
    DeliveryView delivery = delivery(webhook, request);
    WebhookRefusals.requireSent(outgoing.redeliver(webhook, delivery.content().message()));
    return Response.json(202, WebhookJson.delivery(delivery(webhook, request)));
  }

  private Response redeliverFailed(Request request, Principal principal) {
    WebhookView webhook = webhook(request, principal);
    Body body = Body.of(request, "since");
    Optional<Instant> since = Params.time(body.text("since"));
    if (since.isEmpty() && body.raw("since") != null) {
      body.wrong("since", Params.TIME_LAW);
    }
    body.requireGood();
    WebhookRefusals.requireEnabled(webhook);
    return Response.json(
        202,
        JsonMapper.shared()
            .createObjectNode()
            .put("deliveries", outgoing.redeliver(webhook, since.orElseThrow())));
  }
}
