package dev.millrace.web.api.webhook;

import dev.millrace.postgres.history.EventLog;
import dev.millrace.postgres.history.EventLog.Place;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.webhooks.EventTypes;
import dev.millrace.service.webhooks.Feed;
import dev.millrace.service.webhooks.Payload;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.request.Params;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A tenant's events as webhooks would tell them, for whoever can't be reached from outside. */
public final class FeedRoutes {

  private static final int LONGEST_WAIT = 20;
  private static final Pattern CURSOR =
      Pattern.compile("([1-9][0-9]{15})\\.([0-9a-f-]{36})\\.(0|[1-9][0-9]{0,8})");

  private final Authentication authentication;
  private final Feed feed;

  public FeedRoutes(Authentication authentication, Feed feed) {
    this.authentication = authentication;
    this.feed = feed;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/api/admin/events", authentication.require(Scope.WEBHOOKS_READ, this::page)));
  }

  private Response page(Request request, Principal principal) throws InterruptedException {
    int wait = Params.wholeNumber(request, "wait", 0, 0, LONGEST_WAIT);
    List<String> asked = request.query("events").map(FeedRoutes::events).orElse(EventTypes.USUAL);
    Optional<Place> after = request.query("cursor").map(FeedRoutes::place);
    EventLog.Page page =
        after.isEmpty()
            ? new EventLog.Page(List.of(), feed.now())
            : feed.after(principal.tenant(), after.get(), asked, Duration.ofSeconds(wait));
    ObjectNode json = JsonMapper.shared().createObjectNode();
    var items = json.putArray("items");
    for (EventLog.Entry entry : page.entries()) {
      items.addObject().put("id", Payload.id(entry)).set("payload", Payload.of(entry));
    }
    json.put("next_cursor", text(page.next()));
    return Response.json(200, json);
  }

  private static List<String> events(String text) {
    List<String> events = List.of(text.split(",", -1));
    if (!events.stream().allMatch(WebhookReader::isEvent)) {
      throw ProblemException.invalid("events", WebhookReader.EVENTS_LAW);
    }
    return events;
  }

  private static String text(Place place) {
    long micros = ChronoUnit.MICROS.between(Instant.EPOCH, place.at());
    return micros + "." + place.job() + "." + place.seq();
  }

  private static Place place(String text) {
    Matcher matcher = CURSOR.matcher(text);
    Optional<UUID> job = matcher.matches() ? Params.uuid(matcher.group(2)) : Optional.empty();
    if (job.isEmpty()) {
      throw ProblemException.invalid("cursor", "must be the next_cursor of the page before");
    }
    return new Place(
        Instant.EPOCH.plus(Long.parseLong(matcher.group(1)), ChronoUnit.MICROS),
        job.get(),
        Integer.parseInt(matcher.group(3)));
  }
}
