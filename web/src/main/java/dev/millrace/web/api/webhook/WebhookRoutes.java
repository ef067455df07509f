package dev.millrace.web.api.webhook;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.millrace.postgres.tenants.Audit;
import dev.millrace.postgres.webhooks.WebhookView;
import dev.millrace.postgres.webhooks.Webhooks;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Role;
import dev.millrace.service.webhooks.Outgoing;
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
  private static final Duration USUAL_OVERLAP = Duration.ofDays(1);
  private static final Duration LONGEST_OVERLAP = Duration.ofDays(7);

  private final Authentication authentication;
  private final Outgoing outgoing;

  public WebhookRoutes(Authentication authentication, Outgoing outgoing) {
    this.authentication = authentication;
    this.outgoing = outgoing;
  }

  public List<Route> routes() {
    return List.of(
        Route.get(PATH, authentication.require(Role.ADMIN, this::list)),
        Route.post(PATH, authentication.require(Role.ADMIN, this::create)),
        Route.get(ONE, authentication.require(Role.ADMIN, this::show)),
        Route.put(ONE, authentication.require(Role.ADMIN, this::change)),
        Route.delete(ONE, authentication.require(Role.ADMIN, this::remove)),
        Route.post(ONE + "/rotate", authentication.require(Role.ADMIN, this::rotate)),
        Route.post(ONE + "/enable", authentication.require(Role.ADMIN, this::enable)),
        Route.post(ONE + "/disable", authentication.require(Role.ADMIN, this::disable)));
  }

  static WebhookView find(Outgoing outgoing, Request request, Principal principal) {
    return outgoing
        .endpoints()
        .find(principal.tenant(), Params.id(request))
        .orElseThrow(ProblemException::notFound);
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
    Webhooks.Wish wish = WebhookReader.read(request, outgoing);
    UUID id = UuidCreator.getTimeOrderedEpoch();
    Outgoing.Shown made =
        outgoing
            .create(id, wish, line(principal, "webhook.create", id))
            .orElseThrow(() ->
                new ProblemException(
                    409,
                    "too_many_webhooks",
                    "There are as many webhooks as a tenant may have. Delete one first."));
    return shown(201, made).header("Location", PATH + "/" + id);
  }

  private Response show(Request request, Principal principal) {
    return Response.json(200, WebhookJson.webhook(find(outgoing, request, principal)));
  }

  private Response change(Request request, Principal principal) {
    UUID id = find(outgoing, request, principal).id();
    Webhooks.Wish wish = WebhookReader.read(request, outgoing);
    return answer(outgoing.endpoints().change(id, wish, line(principal, "webhook.change", id)));
  }

  private Response remove(Request request, Principal principal) {
    UUID id = Params.id(request);
    if (!outgoing.endpoints().delete(id, line(principal, "webhook.delete", id))) {
      throw ProblemException.notFound();
    }
    return Response.empty(204);
  }

  private Response rotate(Request request, Principal principal) {
    WebhookView webhook = find(outgoing, request, principal);
    Body body = Body.ofOptional(request, "overlap_seconds");
    long overlap =
        body.raw("overlap_seconds") == null
            ? USUAL_OVERLAP.toSeconds()
            : body.number("overlap_seconds", 0, LONGEST_OVERLAP.toSeconds());
    body.requireGood();
    Outgoing.Shown rotated =
        outgoing
            .rotate(
                webhook,
                Duration.ofSeconds(overlap),
                line(principal, "webhook.rotate", webhook.id()))
            .orElseThrow(() ->
                new ProblemException(
                    409,
                    "transition_denied",
                    "Somebody else has just rotated this secret. Look who it was in the audit."));
    return shown(200, rotated);
  }

  private Response enable(Request request, Principal principal) {
    Body.ofOptional(request).requireGood();
    UUID id = Params.id(request);
    return answer(outgoing.enable(id, line(principal, "webhook.enable", id)));
  }

  private Response disable(Request request, Principal principal) {
    Body.ofOptional(request).requireGood();
    UUID id = Params.id(request);
    return answer(
        outgoing.endpoints().disable(id, "asked", line(principal, "webhook.disable", id)));
  }

  private static Audit.Line line(Principal principal, String action, UUID id) {
    return principal.audit(action, id.toString(), null);
  }

  private static Response answer(Optional<WebhookView> webhook) {
    return Response.json(200, WebhookJson.webhook(webhook.orElseThrow(ProblemException::notFound)));
  }

  private static Response shown(int status, Outgoing.Shown shown) {
    return Response.json(
        status, WebhookJson.webhook(shown.webhook()).put("secret", shown.secret()));
  }
}
