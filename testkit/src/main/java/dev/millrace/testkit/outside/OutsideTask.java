package dev.millrace.testkit.outside;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A piece of work that a double was given. Guarded by its service. */
public final class OutsideTask {

  /** How far it is. */
  public enum Stage {
    WAITING,
    RUNNING,
    SUCCEEDED,
    FAILED,
    CANCELED,
    /** Its deadline passed before it began. */
    ABORTED;

    public boolean over() {
      return this != WAITING && this != RUNNING;
    }
  }

  private final String id;
  private final JsonNode request;
  private final Optional<String> callback;
  private final Instant createdAt;
  Stage stage = Stage.WAITING;
  int percent;
  @Nullable JsonNode output;
  @Nullable String error;
  boolean removed;
  @Nullable Webhooks webhooks;
  Instant listedAt = Instant.MIN;
  volatile @Nullable Instant toldAt;

  OutsideTask(String id, JsonNode request, Optional<String> callback, Instant createdAt) {
    this.id = id;
    this.request = request;
    this.callback = callback;
    this.createdAt = createdAt;
  }

  Taken taken(String intent) {
    return new Taken(intent, createdAt, listedAt, toldAt);
  }

  public String id() {
    return id;
  }

  /** The body that it was asked for with. */
  public JsonNode request() {
    return request;
  }

  public Optional<String> callback() {
    return callback;
  }

  public Instant createdAt() {
    return createdAt;
  }

  public Stage stage() {
    return stage;
  }

  public int percent() {
    return percent;
  }

  public @Nullable JsonNode output() {
    return output;
  }

  public @Nullable String error() {
    return error;
  }

  /** Whether input and output have been removed since. */
  public boolean removed() {
    return removed;
  }
}
