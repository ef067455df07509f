package dev.millrace.server.console;

import dev.millrace.server.auth.Role;
import dev.millrace.server.http.Response;
import dev.millrace.server.http.Route;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Who performs jobs besides workers, how each stands, and what came back too late. */
final class ProviderPages {

  private final Doors doors;

  ProviderPages(Doors doors) {
    this.doors = doors;
  }

  /** A provider as the API tells of it. */
  record Shown(JsonNode json) {

    String name() {
      return text("name");
    }

    private String text(String field) {
      return json.path(field).asString("");
    }

    boolean ready() {
      return json.path("kind").isString();
    }

    /** What it is, in words. */
    String kind() {
      return switch (text("kind")) {
        case "local" -> "in this server";
        case "direct" -> "a service, asked and answered at once";
        case "service" -> "a service, given work and asked later";
        default -> "not set up";
      };
    }

    String setting() {
      return text("setting");
    }

    /** Everybody's key as it may be shown; empty if there is none. */
    String key() {
      return text("key");
    }

    String ownKey() {
      return text("own_key");
    }

    String breaker() {
      return json.path("breaker").path("state").asString("");
    }

    @Nullable Instant breakerSince() {
      return time(json.path("breaker").path("since"));
    }

    @Nullable Instant breakerUntil() {
      return time(json.path("breaker").path("until"));
    }

    @Nullable Instant nextAsk() {
      return time(json.path("next_ask_at"));
    }

    @Nullable Instant oldestCallback() {
      return time(json.path("oldest_callback_at"));
    }

    long number(String field) {
      return json.path(field).asLong();
    }

    private static @Nullable Instant time(JsonNode value) {
      return value.isString() ? Instant.parse(value.stringValue()) : null;
    }
  }

  List<Route> routes() {
    return List.of(
        doors.page("/console/providers", Role.ADMIN, visit -> show(visit, "providers")),
        doors.page("/console/providers/now", Role.ADMIN, visit -> show(visit, "providersNow")),
        doors.deed("/console/providers/adopt/{id}", Role.ADMIN, this::adopt));
  }

  /** Those that work come first. */
  static List<Shown> providers(JsonNode answer) {
    return answer
        .path("items")
        .valueStream()
        .map(Shown::new)
        .sorted(Comparator.comparing(provider -> !provider.ready()))
        .toList();
  }

  private Response show(Visit visit, String template) throws Exception {
    JsonNode answer = visit.get("/api/admin/providers");
    return doors
        .html()
        .page(
            200,
            template,
            Map.of(
                "page",
                visit.page("Providers", "providers"),
                "providers",
                providers(answer),
                "late",
                List.copyOf(answer.path("late_results").values())));
  }

  private Response adopt(Visit visit) throws Exception {
    visit.post("/api/admin/jobs/" + visit.id() + "/adopt", null);
    return visit.to("/console/jobs/" + visit.id() + "?done=adopted");
  }
}
