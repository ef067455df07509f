package dev.millrace.web.console.admin;

import dev.millrace.service.access.Role;
import dev.millrace.web.console.frame.PageAccess;
import dev.millrace.web.console.frame.Visit;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Who performs jobs besides workers, how each stands, and what came back too late. */
public final class ProviderPages {

  private final PageAccess doors;

  public ProviderPages(PageAccess doors) {
    this.doors = doors;
  }

  /** A provider as the API tells of it. */
  public record Shown(JsonNode json) {

    public String name() {
      return text("name");
    }

    private String text(String field) {
      return json.path(field).asString("");
    }

    public boolean ready() {
      return json.path("kind").isString();
    }

    /** What it is, in words. */
    public String kind() {
      return switch (text("kind")) {
        case "local" -> "in this server";
        case "direct" -> "a service, asked and answered at once";
        case "service" -> "a service, given work and asked later";
        default -> "not set up";
      };
    }

    public String setting() {
      return text("setting");
    }

    /** Everybody's key as it may be shown; empty if there is none. */
    public String key() {
      return text("key");
    }

    public String ownKey() {
      return text("own_key");
    }

    public String breaker() {
      return json.path("breaker").path("state").asString("");
    }

    public @Nullable Instant breakerSince() {
      return time(json.path("breaker").path("since"));
    }

    public @Nullable Instant breakerUntil() {
      return time(json.path("breaker").path("until"));
    }

    public @Nullable Instant nextAsk() {
      return time(json.path("next_ask_at"));
    }

    public @Nullable Instant oldestCallback() {
      return time(json.path("oldest_callback_at"));
    }

    public long number(String field) {
      return json.path(field).asLong();
    }

    private static @Nullable Instant time(JsonNode value) {
      return value.isString() ? Instant.parse(value.stringValue()) : null;
    }
  }

  public List<Route> routes() {
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
