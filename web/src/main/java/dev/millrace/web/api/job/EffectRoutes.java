package dev.millrace.web.api.job;

import dev.millrace.engine.money.Price.Unit;
import dev.millrace.postgres.catalogue.Pauses;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Role;
import dev.millrace.service.catalogue.Effect;
import dev.millrace.service.catalogue.EffectPrice;
import dev.millrace.service.jobs.Offer;
import dev.millrace.service.jobs.Offers;
import dev.millrace.service.observe.Paces;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What can be asked for, and at what price. */
public final class EffectRoutes {

  private final Authentication authentication;
  private final Offers offers;
  private final Pauses pauses;
  private final Paces paces;

  public EffectRoutes(Authentication authentication, Offers offers, Pauses pauses, Paces paces) {
    this.paces = paces;
    this.authentication = authentication;
    this.offers = offers;
    this.pauses = pauses;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/api/effects", authentication.require(Role.USER, this::list)),
        Route.get("/api/effects/{slug*}", authentication.require(Role.USER, this::show)));
  }

  private Response list(Request request, Principal principal) {
    ObjectNode page = JsonMapper.shared().createObjectNode();
    var items = page.putArray("items");
    Set<String> paused = pauses.effects();
    Map<Integer, Paces.Pace> known = paces.all();
    offers.all().forEach(offer -> items.add(json(offer, paused, known)));
    return Response.json(200, page);
  }

  private Response show(Request request, Principal principal) {
    return offers
        .find(request.pathParameter("slug"))
        .map(offer -> Response.json(200, json(offer, pauses.effects(), paces.all())))
        .orElseThrow(ProblemException::notFound);
  }

  private static ObjectNode json(Offer offer, Set<String> paused, Map<Integer, Paces.Pace> paces) {
    Effect effect = offer.effect();
    Paces.Pace pace = paces.get(offer.terms().effectId());
    ObjectNode json = JsonMapper.shared().createObjectNode();
    json.put("slug", effect.slug());
    json.put("title", effect.title());
    json.put("description", effect.description());
    json.put("workflow", effect.workflow().slug());
    json.put("credits_cost", effect.creditsCost());
    json.set("price", json(effect.price()));
    json.put("follow_up", effect.followUp());
    json.put("paused", paused.contains(effect.slug()));
    json.put("concurrency", effect.concurrency());
    json.put("last_processing_seconds", pace == null ? null : (Double) pace.last());
    if (pace == null) {
      json.putNull("processing_seconds");
    } else {
      json.putObject("processing_seconds").put("p50", pace.p50()).put("p90", pace.p90());
    }
    json.set("input_schema", effect.inputSchema());
    return json;
  }

  private static ObjectNode json(EffectPrice price) {
    ObjectNode json = JsonMapper.shared().createObjectNode();
    json.put("per", price.per().label());
    if (price.property() != null) {
      json.put("most", price.property());
    } else if (price.per() != Unit.JOB) {
      json.put("most", price.most());
    }
    return json;
  }
}
