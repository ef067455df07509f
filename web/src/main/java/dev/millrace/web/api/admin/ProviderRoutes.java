package dev.millrace.web.api.admin;

import static java.util.stream.Collectors.toMap;

import dev.millrace.postgres.outside.ProviderWork;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Role;
import dev.millrace.service.attempt.Breaker;
import dev.millrace.service.execution.ProviderStatus;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.json.JobJson;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Who performs jobs: how each stands on this node, and what of everybody's lies there. */
public final class ProviderRoutes {

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final int MOST_LATE = 50;

  private final Authentication authentication;
  private final ProviderStatus desk;
  private final ProviderWork work;

  public ProviderRoutes(Authentication authentication, ProviderStatus desk, ProviderWork work) {
    this.authentication = authentication;
    this.desk = desk;
    this.work = work;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/api/admin/providers", authentication.require(Role.ADMIN, this::list)));
  }

  private Response list(Request request, Principal principal) {
    Map<String, ProviderWork.Standing> lying =
        work.standing().stream().collect(toMap(ProviderWork.Standing::provider, each -> each));
    ObjectNode json = JSON.createObjectNode();
    var items = json.putArray("items");
    TreeSet<String> gone = new TreeSet<>(lying.keySet());
    for (ProviderStatus.Standing standing : desk.standing()) {
      items.add(json(standing, lying.get(standing.name()), principal.tenantSlug()));
      gone.remove(standing.name());
    }
    // Work can lie at a provider that somebody has taken out of the settings since.
    for (String name : gone) {
      var unknown = new ProviderStatus.Standing(name, null, null, 0, 0, Breaker.never().standing());
      items.add(json(unknown, lying.get(name), principal.tenantSlug()));
    }
    var late = json.putArray("late_results");
    work.late(principal.tenant(), Instant.EPOCH, MOST_LATE).forEach(each -> late.add(json(each)));
    return Response.json(200, json);
  }

  private static ObjectNode json(
      ProviderStatus.Standing standing, ProviderWork.@Nullable Standing lying, String tenant) {
    ObjectNode json = JSON.createObjectNode();
    ProviderStatus.@Nullable Kind kind = standing.kind();
    ProviderStatus.@Nullable Key key = standing.key();
    json.put("name", standing.name());
    json.put("kind", kind == null ? null : kind.label());
    json.put("setting", key == null ? null : key.setting());
    json.put("key", key == null ? null : key.common());
    json.put("own_key", key == null ? null : key.own().get(tenant));
    json.put("slots", standing.slots());
    json.put("busy", standing.busy());
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
        .put("job_id", late.jobId().toString())
        .put("attempt", late.attempt())
        .put("provider", late.provider())
        .put("effect", late.effect())
        .put("user", late.userId())
        .put("state", late.state())
        .put("credits", late.held())
        .put("files", late.files())
        .put("received_at", late.receivedAt().toString());
  }
}
