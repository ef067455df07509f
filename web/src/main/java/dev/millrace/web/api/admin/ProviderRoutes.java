package dev.millrace.web.api.admin;

import dev.millrace.postgres.outside.ProviderWork;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.execution.ProviderOverview;
import dev.millrace.service.execution.ProviderStatus;
import dev.millrace.service.outside.Collector;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.json.JobJson;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Who performs jobs: how each stands on this node, and what of everybody's lies there. */
public final class ProviderRoutes {

  private static final JsonMapper JSON = JsonMapper.shared();
  private final Authentication authentication;
  private final ProviderOverview providers;

  public ProviderRoutes(Authentication authentication, ProviderOverview providers) {
    this.authentication = authentication;
    this.providers = providers;
  }

  public List<Route> routes() {
    return List.of(
        Route.get(
            "/api/admin/providers", authentication.require(Scope.PROVIDERS_READ, this::list)));
  }

  private Response list(Request request, Principal principal) {
    ObjectNode json = JSON.createObjectNode();
    var items = json.putArray("items");
    providers.providers(principal).forEach(provider -> items.add(json(provider)));
    var late = json.putArray("late_results");
    providers.late(principal).forEach(each -> late.add(json(each)));
    return Response.json(200, json);
  }

  private static ObjectNode json(ProviderOverview.Provider provider) {
    ProviderStatus.Standing standing = provider.standing();
    ProviderWork.@Nullable Standing lying = provider.work();
    ObjectNode json = JSON.createObjectNode();
    ProviderStatus.@Nullable Kind kind = standing.kind();
    ProviderStatus.@Nullable MaskedKey key = standing.key();
    json.put("name", standing.name());
    json.put("kind", kind == null ? null : kind.label());
    json.put("setting", key == null ? null : key.setting());
    json.put("key", key == null ? null : key.common());
    json.put("own_key", provider.ownKey());
    json.put("slots", standing.slots());
    json.put("busy", standing.busy());
    Collector.@Nullable Fetching fetching = standing.fetching();
    if (fetching == null) {
      json.putNull("fetching");
    } else {
      json.putObject("fetching")
          .put("slots", fetching.slots())
          .put("busy", fetching.busy())
          .put("waiting", fetching.waiting());
    }
    json.putObject("breaker")
        .put("state", standing.breaker().state().label())
        .put("since", JobJson.text(standing.breaker().since()))
        .put("until", JobJson.text(standing.breaker().until()))
        .put("troubles", standing.breaker().troubles());
    json.put("submitted", lying == null ? 0 : lying.submitted());
    json.put("canceling", lying == null ? 0 : lying.canceling());
    json.put("next_ask_at", lying == null ? null : JobJson.text(lying.nextAskAt()));
    json.put("callbacks_waiting", lying == null ? 0 : lying.callbacks());
    json.put("oldest_callback_at", lying == null ? null : JobJson.text(lying.oldestCallbackAt()));
    return json;
  }

  private static ObjectNode json(ProviderWork.Late late) {
    return JSON.createObjectNode()
        .put("job_id", late.job().jobId().toString())
        .put("attempt", late.attempt())
        .put("provider", late.provider())
        .put("effect", late.job().effect())
        .put("user", late.job().userId())
        .put("state", late.job().state().label())
        .put("credits", late.job().held())
        .put("files", late.files())
        .put("received_at", late.receivedAt().toString());
  }
}
