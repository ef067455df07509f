package dev.millrace.service.jobs;

import dev.millrace.postgres.jobs.JobView;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is written on a job when it is asked for, to find in its answers again. Nothing is decided
 * by it, and it doesn't make a request another one.
 *
 * @param metadata whatever the product wants to keep with the job
 * @param related a thing of the product's that the job belongs to
 * @param dialect the label of the surface by which it was asked for, written by that surface and
 *     never by the client; null for the API and the console
 */
public record JobNotes(
    @Nullable ObjectNode metadata, @Nullable Related related, @Nullable String dialect) {

  /** How long metadata may be, written as JSON. */
  public static final int MOST_METADATA = 4_096;

  public static final JobNotes NONE = new JobNotes(null, null, null);

  private static final JsonMapper JSON = JsonMapper.shared();

  /** A thing of the product's, by its kind and its id there. */
  public record Related(String type, String id) {}

  /** The same, asked for by this dialect. */
  JobNotes through(String label) {
    return new JobNotes(metadata, related, label);
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
        notes.path("dialect").isString() ? notes.path("dialect").stringValue() : null);
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
    if (dialect != null) {
      notes.put("dialect", dialect);
    }
    return notes.isEmpty() ? null : notes.toString();
  }
}
