package dev.millrace.web.api.job;

import dev.millrace.service.access.Principal;
import dev.millrace.service.jobs.JobNotes;
import dev.millrace.service.jobs.JobRequest;
import dev.millrace.web.api.request.IdempotencyKey;
import dev.millrace.web.api.request.Numbers;
import dev.millrace.web.api.request.Params;
import dev.millrace.web.http.Problem.Violation;
import dev.millrace.web.http.Request;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Reads the body of a submit and reports everything that is wrong with its form at once. */
final class JobRequestReader {

  private static final Set<String> FIELDS =
      Set.of(
          "effect",
          "input",
          "user",
          "workspace",
          "idempotency_key",
          "priority",
          "run_at",
          "metadata",
          "related");
  private static final Set<String> ITEM_FIELDS =
      Set.of("effect", "input", "priority", "run_at", "metadata", "related");
  private static final int LONGEST_TEXT = 200;

  /**
   * A request as far as it could be read.
   *
   * @param violations what is wrong with its form; empty if it can be submitted
   */
  record Reading(JobRequest request, List<Violation> violations) {}

  private final ObjectNode body;
  private final List<Violation> violations = new ArrayList<>();

  private JobRequestReader(ObjectNode body) {
    this.body = body;
  }

  /**
   * Reads a request.
   *
   * @param request whose header may have the key
   */
  static Reading read(ObjectNode fields, Request request, Principal principal) {
    JobRequestReader reader = new JobRequestReader(fields);
    JobRequest wanted = reader.read(principal, request);
    return new Reading(wanted, List.copyOf(reader.violations));
  }

  /**
   * Reads one of many, whose user, workspace and key are those of the batch.
   *
   * @param at where it is, such as {@code /jobs/3}
   */
  static Reading item(
      ObjectNode item, Principal principal, String user, @Nullable String workspace, String at) {
    JobRequestReader reader = new JobRequestReader(item);
    reader.refuseOthersThan(ITEM_FIELDS);
    JobRequest wanted =
        new JobRequest(
            reader.effect(principal),
            reader.input(),
            user,
            null,
            reader.priority(principal),
            reader.runAt().orElse(null),
            workspace,
            reader.notes());
    return new Reading(
        wanted,
        reader.violations.stream()
            .map(violation -> new Violation(at + violation.path(), violation.message()))
            .toList());
  }

  private JobRequest read(Principal principal, Request request) {
    refuseOthersThan(FIELDS);
    return new JobRequest(
        effect(principal),
        input(),
        Params.user(principal, user(), "/user"),
        IdempotencyKey.of(request, text("idempotency_key"), this::wrong),
        priority(principal),
        runAt().orElse(null),
        Params.workspace(principal, text("workspace"), "/workspace"),
        notes());
  }

  private void refuseOthersThan(Set<String> known) {
    for (String name : body.propertyNames()) {
      if (!known.contains(name)) {
        violations.add(new Violation("/" + Params.pointer(name), "is not a field of this request"));
      }
    }
  }

  private String effect(Principal principal) {
    @Nullable String effect = text("effect");
    if (effect != null && !principal.bounds().allowEffect(effect)) {
      violations.add(new Violation("/effect", "is none that this key may ask for"));
    }
    if (!body.hasNonNull("effect")) {
      violations.add(new Violation("/effect", "is required"));
    }
    return effect == null ? "" : effect;
  }

  private @Nullable String user() {
    @Nullable String user = text("user");
    if (user != null && !Params.isUser(user)) {
      violations.add(new Violation("/user", Params.USER_LAW));
      return null;
    }
    return user;
  }

  private @Nullable String text(String name) {
    JsonNode value = body.get(name);
    if (value == null || value.isNull()) {
      return null;
    }
    if (!value.isString() || value.stringValue().isBlank()) {
      violations.add(new Violation("/" + name, "must be a text that is not blank"));
      return null;
    }
    if (value.stringValue().length() > LONGEST_TEXT) {
      violations.add(new Violation("/" + name, "must have at most 200 characters"));
      return null;
    }
    return value.stringValue();
  }

  private ObjectNode input() {
    JsonNode value = body.get("input");
    if (value instanceof ObjectNode object) {
      Numbers.settle(object);
      return object;
    }
    if (value != null) {
      violations.add(new Violation("/input", "must be an object"));
    }
    return JsonMapper.shared().createObjectNode();
  }

  /** What is kept with the job and shown with it. */
  private JobNotes notes() {
    JsonNode metadata = body.path("metadata");
    if (!metadata.isMissingNode() && !metadata.isNull() && !metadata.isObject()) {
      violations.add(new Violation("/metadata", "must be an object"));
    }
    if (metadata.toString().length() > JobNotes.MOST_METADATA) {
      violations.add(
          new Violation(
              "/metadata", "must have at most %d characters".formatted(JobNotes.MOST_METADATA)));
    }
    if (metadata instanceof ObjectNode object) {
      Numbers.settle(object);
    }
    return new JobNotes(
        metadata instanceof ObjectNode object ? object : null,
        related(body.path("related")),
        JobNotes.Wishes.NONE,
        null);
  }

  private JobNotes.@Nullable Related related(JsonNode related) {
    if (related.isMissingNode() || related.isNull()) {
      return null;
    }
    if (related.size() != 2 || !isLabel(related.path("type")) || !isLabel(related.path("id"))) {
      violations.add(
          new Violation(
              "/related", "must be an object with type and id, texts of 1 to 200 characters"));
      return null;
    }
    return new JobNotes.Related(
        related.path("type").stringValue(), related.path("id").stringValue());
  }

  private static boolean isLabel(JsonNode value) {
    return value.isString()
        && !value.stringValue().isBlank()
        && value.stringValue().length() <= LONGEST_TEXT;
  }

  private void wrong(String path, String message) {
    violations.add(new Violation(path, message));
  }

  private int priority(Principal by) {
    JsonNode value = body.get("priority");
    if (value == null || value.isNull()) {
      return 0;
    }
    int most = JobRequest.mostPriority(by);
    if (value.isInt()
        && value.intValue() >= -JobRequest.HIGHEST_PRIORITY
        && value.intValue() <= most) {
      return value.intValue();
    }
    violations.add(
        new Violation(
            "/priority",
            "must be a whole number from -%d to %d".formatted(JobRequest.HIGHEST_PRIORITY, most)
                + (most == 0 ? "; only an admin key may go above" : "")));
    return 0;
  }

  private Optional<Instant> runAt() {
    @Nullable String text = text("run_at");
    if (text == null) {
      return Optional.empty();
    }
    Optional<Instant> time = Params.time(text);
    if (time.isPresent()) {
      return time.map(at -> at.truncatedTo(ChronoUnit.MICROS)); // The database knows no less.
    }
    violations.add(new Violation("/run_at", Params.TIME_LAW));
    return Optional.empty();
  }
}
