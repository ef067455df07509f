package dev.millrace.web.dialect.replicate;

import dev.millrace.service.access.Principal;
import dev.millrace.service.catalogue.Effect;
import dev.millrace.service.catalogue.FileRule;
import dev.millrace.service.jobs.JobNotes;
import dev.millrace.service.webhooks.Outgoing;
import dev.millrace.web.api.request.Params;
import dev.millrace.web.dialect.GivenFiles;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Turns a request for a prediction into the fields of a native one, and its wishes. */
record PredictionRequest(GivenFiles files, Outgoing webhooks, InstantSource clock) {

  private static final Set<String> FIELDS =
      Set.of("version", "input", "webhook", "webhook_events_filter", "stream", "idempotency_key");

  private static final List<String> ENDS =
      List.of(
          "job.completed",
          "job.failed",
          "job.dead_letter",
          "job.rejected",
          "job.canceled",
          "job.expired");

  private static final Map<String, List<String>> EVENTS =
      Map.of(
          "start",
          List.of("job.running"),
          "output",
          List.of("job.completed"),
          "logs",
          List.of("job.progress"),
          "completed",
          ENDS);

  private static final Pattern OWN_FILE =
      Pattern.compile("https?://[^/]+/(?:.*/)?replicate/v1/files/([0-9a-f-]{36})");
  private static final Pattern SPAN =
      Pattern.compile("(?:([0-9]{1,5})h)?(?:([0-9]{1,5})m)?(?:([0-9]{1,6})s?)?");
  private static final Duration SHORTEST = Duration.ofSeconds(5);
  private static final Duration LONGEST = Duration.ofHours(24);
  private static final Pattern WAIT = Pattern.compile("wait(?:=([0-9]{1,9}))?");
  private static final int MOST_WAIT_SECONDS = 60;
  private static final int LONGEST_URL = 2_000;

  /** The native request for this effect. */
  ObjectNode fields(ObjectNode body, Effect effect, Principal principal) {
    for (String name : body.propertyNames()) {
      if (!FIELDS.contains(name)) {
        throw ProblemException.invalid(
            "/" + Params.pointer(name), "is not a field of this request");
      }
    }
    ObjectNode fields = JsonMapper.shared().createObjectNode();
    fields.put("effect", effect.slug());
    JsonNode input = body.path("input");
    if (!input.isMissingNode()) {
      fields.set("input", input);
    }
    if (body.hasNonNull("idempotency_key")) {
      fields.set("idempotency_key", body.path("idempotency_key"));
    }
    if (input instanceof ObjectNode object) {
      JsonNode properties = effect.inputSchema().path("properties");
      for (var property : properties.properties()) {
        JsonNode value = object.path(property.getKey());
        if (property.getValue().has(FileRule.KEYWORD) && value.isString()) {
          object.put(
              property.getKey(),
              file(value.stringValue(), "/input/" + property.getKey(), principal));
        }
      }
    }
    return fields;
  }

  /** Files are named by our id, by their address here, or are written into the request. */
  private String file(String value, String path, Principal principal) {
    Matcher own = OWN_FILE.matcher(value);
    if (own.matches()) {
      return own.group(1);
    }
    if (value.startsWith("data:")) {
      return files.ofDataUri(GivenFiles.Owner.of(principal, null), value, path).toString();
    }
    if (value.startsWith("http://") || value.startsWith("https://")) {
      throw ProblemException.invalid(
          path, "must be a file that was brought here: POST it to /v1/files first");
    }
    return value;
  }

  JobNotes.Wishes wishes(ObjectNode body, Request request, Principal principal, URI base) {
    JobNotes.@Nullable OwnEndpoint webhook = webhook(body, base);
    if (webhook != null) {
      webhooks.openToJobs(principal.tenant(), webhook.events());
    }
    return new JobNotes.Wishes(webhook, cancelAt(request));
  }

  private JobNotes.@Nullable OwnEndpoint webhook(ObjectNode body, URI base) {
    JsonNode url = body.path("webhook");
    List<String> events = events(body.path("webhook_events_filter"));
    if (url.isMissingNode() || url.isNull()) {
      return null;
    }
    if (!url.isString() || url.stringValue().length() > LONGEST_URL) {
      throw ProblemException.invalid("/webhook", "must be a URL of at most 2000 characters");
    }
    webhooks
        .objection(url.stringValue())
        .ifPresent(reason -> {
          throw ProblemException.invalid("/webhook", "can't be used: " + reason);
        });
    return new JobNotes.OwnEndpoint(url.stringValue(), events, base.toString());
  }

  private static List<String> events(JsonNode filter) {
    if (filter.isMissingNode() || filter.isNull()) {
      return ENDS;
    }
    Set<String> events = new LinkedHashSet<>();
    boolean good = filter.isArray() && filter.size() <= 20;
    for (JsonNode each : filter.values()) {
      List<String> known = EVENTS.get(each.asString(""));
      good &= known != null;
      events.addAll(known == null ? List.of() : known);
    }
    if (!good) {
      throw ProblemException.invalid(
          "/webhook_events_filter", "must be a list of start, output, logs and completed");
    }
    return List.copyOf(events);
  }

  /** When the client wants it canceled; such as {@code 90s} or {@code 1h30m}. */
  private @Nullable Instant cancelAt(Request request) {
    Optional<String> text = request.header("cancel-after");
    if (text.isEmpty()) {
      return null;
    }
    Matcher span = SPAN.matcher(text.get().strip());
    if (span.matches() && !text.get().isBlank()) {
      Duration after =
          Duration.ofHours(number(span.group(1)))
              .plusMinutes(number(span.group(2)))
              .plusSeconds(number(span.group(3)));
      if (after.compareTo(SHORTEST) >= 0 && after.compareTo(LONGEST) <= 0) {
        return clock.instant().plus(after);
      }
    }
    throw ProblemException.invalid(
        "Cancel-After", "must be a time from 5s to 24h, such as 90s or 1h30m");
  }

  private static int number(@Nullable String digits) {
    return digits == null ? 0 : Integer.parseInt(digits);
  }

  /** How long the client wants to wait for the end. Preferences that can't be meant are ignored. */
  static Duration wait(Request request) {
    return request.headers("prefer").stream()
        .flatMap(line -> Pattern.compile("[,;]").splitAsStream(line))
        .map(preference -> WAIT.matcher(preference.strip()))
        .filter(Matcher::matches)
        .findFirst()
        .map(wait -> wait.group(1) == null ? MOST_WAIT_SECONDS : Integer.parseInt(wait.group(1)))
        .map(seconds -> Duration.ofSeconds(Math.min(seconds, MOST_WAIT_SECONDS)))
        .orElse(Duration.ZERO);
  }
}
