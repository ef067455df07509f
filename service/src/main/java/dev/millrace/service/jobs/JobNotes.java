package dev.millrace.service.jobs;

import dev.millrace.postgres.jobs.JobView;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is written on a job when it is asked for, to find in its answers again. Nothing is decided
 * by it, and it doesn't make a request another one.
 *
 * @param metadata whatever the product wants to keep with the job
 * @param related a thing of the product's that the job belongs to
 * @param wishes what the job itself asks for
 * @param dialect the label of the surface by which it was asked for, written by that surface and
 *     never by the client; null for the API and the console
 */
public record JobNotes(
    @Nullable ObjectNode metadata,
    @Nullable Related related,
    Wishes wishes,
    @Nullable String dialect) {

  /** How long metadata may be, written as JSON. */
  public static final int MOST_METADATA = 4_096;

  public static final JobNotes NONE = new JobNotes(null, null, Wishes.NONE, null);

  private static final JsonMapper JSON = JsonMapper.shared();

  /** A thing of the product's, by its kind and its id there. */
  public record Related(String type, String id) {}

  /**
   * What a job asks for beside being done.
   *
   * @param webhook who is to be told of it; null for nobody but the tenant's endpoints
   * @param cancelAt when it is to be canceled if it has not ended
   */
  public record Wishes(@Nullable OwnEndpoint webhook, @Nullable Instant cancelAt) {
    public static final Wishes NONE = new Wishes(null, null);
  }

  /**
   * A place of the job's own that is told of it.
   *
   * @param events types of events, such as {@code job.completed}
   * @param base how whoever asked knows this server
   */
  public record OwnEndpoint(String url, List<String> events, String base) {
    public OwnEndpoint {
      events = List.copyOf(events);
    }
  }

  /** The same, asked for by this dialect. */
  JobNotes through(String label) {
    return new JobNotes(metadata, related, wishes, label);
  }

  JobNotes with(Wishes wished) {
    return new JobNotes(metadata, related, wished, dialect);
  }

  /** For a job that does it again: the time it had was that of the first. */
  JobNotes again() {
    return with(new Wishes(wishes.webhook, null));
  }

  public static JobNotes of(JobView job) {
    return stored(job.links().notes());
  }

  /** As they were stored. */
  static JobNotes stored(@Nullable String json) {
    if (json == null) {
      return NONE;
    }
    JsonNode notes = JSON.readTree(json);
    JsonNode related = notes.path("related");
    return new JobNotes(
        notes.path("metadata") instanceof ObjectNode metadata ? metadata : null,
        related.isObject()
            ? new Related(related.path("type").stringValue(), related.path("id").stringValue())
            : null,
        wishes(notes),
        notes.path("dialect").isString() ? notes.path("dialect").stringValue() : null);
  }

  private static Wishes wishes(JsonNode notes) {
    JsonNode webhook = notes.path("webhook");
    JsonNode cancelAt = notes.path("cancel_at");
    return new Wishes(
        webhook.isObject()
            ? new OwnEndpoint(
                webhook.path("url").stringValue(),
                webhook.path("events").valueStream().map(JsonNode::stringValue).toList(),
                webhook.path("base").stringValue())
            : null,
        cancelAt.isString() ? Instant.parse(cancelAt.stringValue()) : null);
  }

  /** As they are stored; null if there are none. */
  @Nullable String stored() {
    ObjectNode notes = JSON.createObjectNode();
    if (metadata != null && !metadata.isEmpty()) {
      notes.set("metadata", metadata);
    }
    if (related != null) {
      notes.putObject("related").put("type", related.type()).put("id", related.id());
    }
    if (wishes.webhook != null) {
      ObjectNode webhook = notes.putObject("webhook");
      webhook.put("url", wishes.webhook.url()).put("base", wishes.webhook.base());
      ArrayNode events = webhook.putArray("events");
      wishes.webhook.events().forEach(events::add);
    }
    if (wishes.cancelAt != null) {
      notes.put("cancel_at", wishes.cancelAt.truncatedTo(ChronoUnit.SECONDS).toString());
    }
    if (dialect != null) {
      notes.put("dialect", dialect);
    }
    return notes.isEmpty() ? null : notes.toString();
  }
}
