package dev.millrace.web.api.job;

import dev.millrace.engine.money.Price.Unit;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.catalogue.Effect;
import dev.millrace.service.catalogue.EffectPrice;
import dev.millrace.service.jobs.OfferedEffects;
import dev.millrace.service.observe.Paces;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What can be asked for, and at what price. */
public final class EffectRoutes {

  private final Authentication authentication;
  private final OfferedEffects effects;

  public EffectRoutes(Authentication authentication, OfferedEffects effects) {
    this.authentication = authentication;
    this.effects = effects;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/api/effects", authentication.require(Scope.EFFECTS_READ, this::list)),
        Route.get("/api/effects/{slug*}", authentication.require(Scope.EFFECTS_READ, this::show)));
  }

  private Response list(Request request, Principal principal) {
    ObjectNode page = JsonMapper.shared().createObjectNode();
    var items = page.putArray("items");
    effects.list().stream()
        .filter(offered -> principal.bounds().allowEffect(offered.offer().effect().slug()))
        .forEach(offered -> items.add(json(offered)));
    return Response.json(200, page);
  }

  private Response show(Request request, Principal principal) {
    return effects
        .find(request.pathParameter("slug"))
        .filter(offered -> principal.bounds().allowEffect(offered.offer().effect().slug()))
        .map(offered -> Response.json(200, json(offered)))
        .orElseThrow(ProblemException::notFound);
  }

  private static ObjectNode json(OfferedEffects.Offered offered) {
    Effect effect = offered.offer().effect();
    Paces.@Nullable Pace pace = offered.pace();
    ObjectNode json = JsonMapper.shared().createObjectNode();
    json.put("slug", effect.slug());
    json.put("title", effect.title());
    json.put("description", effect.description());
    json.put("workflow", effect.workflow().slug());
    json.put("credits_cost", effect.creditsCost());
    json.set("price", json(effect.price()));
    json.put("follow_up", effect.followUp());
    json.put("paused", offered.paused());
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
