package dev.millrace.worker.comfy;

import dev.millrace.spi.executor.JobFailure;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** How a prompt ended, by its entry in the history. */
public sealed interface ComfyHistory {

  /** It ran to its end. */
  record Succeeded(ComfyOutputs.Selection outputs) implements ComfyHistory {}

  /** It failed, and this follows for the job. */
  record Failed(JobFailure failure, boolean outOfMemory) implements ComfyHistory {}

  /** Somebody interrupted it. */
  record Interrupted() implements ComfyHistory {}

  /** Reads an entry. An empty {@code outputs} alone says nothing: errors have it as well. */
  static ComfyHistory of(JsonNode entry, Optional<String> outputNode) throws JobFailure {
    JsonNode status = entry.path("status");
    JsonNode error = message(status, "execution_error");
    if (error.isObject()) {
      return new Failed(Troubles.executionError(error), Troubles.outOfMemory(error));
    }
    if (message(status, "execution_interrupted").isObject()) {
      return new Interrupted();
    }
    boolean success =
        status.path("completed").asBoolean(false)
            || status.path("status_str").asString("").equals("success");
    if (!success) {
      return new Failed(JobFailure.retryable("the workflow failed without saying why"), false);
    }
    ComfyOutputs.Selection selection = ComfyOutputs.select(entry.path("outputs"), outputNode);
    return selection.isEmpty() ? nothing(status, outputNode) : new Succeeded(selection);
  }

  /** A cached node may keep its output to itself; another one just has none. */
  private static ComfyHistory nothing(JsonNode status, Optional<String> outputNode) {
    boolean cached = false;
    for (JsonNode node : message(status, "execution_cached").path("nodes")) {
      cached |= outputNode.isEmpty() || outputNode.get().equals(node.asString(""));
    }
    String what = outputNode.map(node -> "node " + node + " made no output").orElse("no output");
    return new Failed(
        cached
            ? JobFailure.retryable("the workflow ended, but " + what + " (cached)")
            : JobFailure.permanent("the workflow ended, but " + what),
        false);
  }

  private static JsonNode message(JsonNode status, String name) {
    for (JsonNode message : status.path("messages")) {
      if (message.path(0).asString("").equals(name)) {
        return message.path(1);
      }
    }
    return MissingNode.getInstance();
  }
}
