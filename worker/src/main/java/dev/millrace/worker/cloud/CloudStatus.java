package dev.millrace.worker.cloud;

import dev.millrace.spi.executor.JobFailure;
import dev.millrace.worker.comfy.ComfyApi;
import dev.millrace.worker.http.Answer;
import dev.millrace.worker.http.Unreachable;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * How a job at the cloud is.
 *
 * @param body all that the cloud says of it
 */
record CloudStatus(Stage stage, JsonNode body) {

  /** How far it is. */
  enum Stage {
    WAITING,
    RUNNING,
    COMPLETED,
    FAILED,
    CANCELED;

    private static Optional<Stage> of(String word) {
      return switch (word) {
        case "waiting_to_dispatch", "pending", "queued" -> Optional.of(WAITING);
        case "in_progress", "executing", "running" -> Optional.of(RUNNING);
        case "completed", "success" -> Optional.of(COMPLETED);
        case "error", "failed" -> Optional.of(FAILED);
        case "cancelled", "canceled" -> Optional.of(CANCELED);
        default -> Optional.empty();
      };
    }

    /** Whether it has given, or may still give, what was paid for. */
    boolean isGood() {
      return this == WAITING || this == RUNNING || this == COMPLETED;
    }
  }

  /**
   * Asks.
   *
   * @throws JobFailure if the account may not ask
   * @throws Unreachable if the answer doesn't say how the job is, which tells nothing of the job
   */
  static CloudStatus of(ComfyApi api, Account account, String id)
      throws Unreachable, JobFailure, InterruptedException {
    Answer answer = api.get("/job/" + id + "/status");
    if (answer.status() == 401 || answer.status() == 403) {
      throw account.refused(answer);
    }
    String word = answer.ok() ? answer.body().path("status").asString("") : "";
    Optional<Stage> stage = Stage.of(word);
    if (stage.isEmpty()) {
      throw Unreachable.unwell("a job has no status (" + answer.status() + ")");
    }
    return new CloudStatus(stage.get(), answer.body());
  }
}
