package dev.millrace.web.api.webhook;

import dev.millrace.postgres.webhooks.WebhookView;
import dev.millrace.postgres.webhooks.Webhooks;
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
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The endpoints that a tenant wants webhooks sent to. */
public final class WebhookRoutes {

  private static final String PATH = "/api/admin/webhooks";
  private static final String ONE = PATH + "/{id}";

  private static final Duration LONGEST_OVERLAP = Duration.ofDays(7);

  private final Authentication authentication;
  private final Outgoing outgoing;
  private final WebhookActions actions;

  public WebhookRoutes(Authentication authentication, Outgoing outgoing, WebhookActions actions) {
    this.authentication = authentication;
    this.outgoing = outgoing;
    this.actions = actions;
  }

  public List<Route> routes() {
    return List.of(
        Route.get(PATH, authentication.require(Scope.WEBHOOKS_READ, this::list)),
        Route.post(PATH, authentication.require(Scope.WEBHOOKS_WRITE, this::create)),
        Route.get(ONE, authentication.require(Scope.WEBHOOKS_READ, this::show)),
        Route.put(ONE, authentication.require(Scope.WEBHOOKS_WRITE, this::change)),
        Route.delete(ONE, authentication.require(Scope.WEBHOOKS_WRITE, this::remove)),
        Route.post(ONE + "/rotate", authentication.require(Scope.WEBHOOKS_WRITE, this::rotate)),
        Route.post(ONE + "/enable", authentication.require(Scope.WEBHOOKS_WRITE, this::enable)),
        Route.post(ONE + "/disable", authentication.require(Scope.WEBHOOKS_WRITE, this::disable)));
  }

  private WebhookView find(Request request, Principal principal) {
    return actions.find(principal, Params.id(request)).orElseThrow(ProblemException::notFound);
  }

  private Response list(Request request, Principal principal) {
    ObjectNode page = JsonMapper.shared().createObjectNode();
    var items = page.putArray("items");
    outgoing
        .endpoints()
        .list(principal.tenant())
        .forEach(webhook -> items.add(WebhookJson.webhook(webhook)));
    return Response.json(200, page);
  }

  private Response create(Request request, Principal principal) {
    Webhooks.Wish wish = WebhookReader.read(request.jsonObject(), outgoing);
    Outgoing.Shown made = WebhookRefusals.requireCreated(actions.create(principal, wish));
    return shown(201, made).header("Location", PATH + "/" + made.webhook().id());
  }

  private Response show(Request request, Principal principal) {
    return Response.json(200, WebhookJson.webhook(find(request, principal)));
  }

  private Response change(Request request, Principal principal) {
    UUID id = find(request, principal).id();
    Webhooks.Wish wish = WebhookReader.read(request.jsonObject(), outgoing);
    return answer(actions.change(principal, id, wish));
  }

  private Response remove(Request request, Principal principal) {
    if (!actions.remove(principal, Params.id(request))) {
      throw ProblemException.notFound();
    }
    return Response.empty(204);
  }

  private Response rotate(Request request, Principal principal) {
    WebhookView webhook = find(request, principal);
    Body body = Body.ofOptional(request, "overlap_seconds");
    long overlap =
        body.raw("overlap_seconds") == null
            ? WebhookActions.USUAL_OVERLAP.toSeconds()
            : body.number("overlap_seconds", 0, LONGEST_OVERLAP.toSeconds());
    body.requireGood();
    return shown(
        200,
        WebhookRefusals.requireRotated(
            actions.rotate(principal, webhook, Duration.ofSeconds(overlap))));
  }

  private Response enable(Request request, Principal principal) {
    Body.ofOptional(request).requireGood();
    return answer(actions.enable(principal, Params.id(request)));
  }

  private Response disable(Request request, Principal principal) {
    Body.ofOptional(request).requireGood();
    return answer(actions.disable(principal, Params.id(request)));
  }

  private static Response answer(Optional<WebhookView> webhook) {
    return Response.json(200, WebhookJson.webhook(webhook.orElseThrow(ProblemException::notFound)));
  }

  private static Response shown(int status, Outgoing.Shown shown) {
    return Response.json(
        status, WebhookJson.webhook(shown.webhook()).put("secret", shown.secret()));
  }
}
