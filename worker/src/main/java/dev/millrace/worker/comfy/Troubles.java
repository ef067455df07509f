package dev.millrace.worker.comfy;

import dev.millrace.spi.executor.JobFailure;
import dev.millrace.worker.http.Answer;
import dev.millrace.worker.log.Clean;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** What ComfyUI's errors mean for the job: whether another attempt could succeed. */
public final class Troubles {

  /** After these the device is of no use to the process any more, until that is started again. */
  private static final List<String> DEVICE_WORDS =
      List.of("cuda error", "cudnn", "hip error", "device-side assert");

  /** Passing: the next attempt may find more memory, or another machine. */
  private static final List<String> PASSING_WORDS =
      List.of(
          "out of memory",
          "outofmemory",
          "allocation on device",
          "no space left",
          "connection",
          "timed out",
          "timeout");

  /** Lasting: the same graph and input end the same way. */
  private static final Set<String> LASTING_TYPES =
      Set.of(
          "ValueError",
          "TypeError",
          "KeyError",
          "IndexError",
          "AttributeError",
          "AssertionError",
          "ZeroDivisionError",
          "NotImplementedError",
          "ModuleNotFoundError",
          "ImportError",
          "UnicodeDecodeError",
          "JSONDecodeError",
          "UnidentifiedImageError",
          "DecompressionBombError");

  private static final Pattern CHOICES = Pattern.compile("(?s)not in \\[.*");

  private Troubles() {}

  /**
   * A prompt or a file that wasn't accepted. An error of the server says that it is ill, and
   * nothing of the job.
   */
  public static JobFailure refused(Answer answer) {
    if (answer.status() == 400 && answer.body().path("error").isObject()) {
      return JobFailure.permanent("the workflow was refused: " + words(answer.body()));
    }
    if (answer.status() == 413) {
      return JobFailure.permanent("the file is larger than ComfyUI takes");
    }
    String message = "ComfyUI answered " + answer.status();
    if (unwell(answer.status())) {
      return JobFailure.interrupted(message);
    }
    return answer
        .retryAfter()
        .map(wait -> JobFailure.retryable(message, wait))
        .orElse(JobFailure.retryable(message));
  }

  /** Whether a status tells of the server and not of what it was asked. */
  static boolean unwell(int status) {
    return status == 408 || status >= 500;
  }

  /** The first node's error, or the general one. */
  static String words(JsonNode body) {
    for (Map.Entry<String, JsonNode> node : body.path("node_errors").properties()) {
      JsonNode error = node.getValue().path("errors").path(0);
      return Clean.forOwner(
          "%s (node %s): %s: %s"
              .formatted(
                  node.getValue().path("class_type").asString("node"),
                  node.getKey(),
                  error.path("message").asString("invalid"),
                  withoutChoices(error.path("details").asString(""))));
    }
    JsonNode error = body.path("error");
    return Clean.forOwner(
        error.path("message").asString("invalid") + " " + error.path("details").asString(""));
  }

  /** What could have been chosen instead is what the operator has installed. */
  private static String withoutChoices(String details) {
    return CHOICES.matcher(details).replaceFirst("not available here");
  }

  /**
   * Whether an accepted prompt lacks what the job needs: ComfyUI takes a graph of which one output
   * is valid, and leaves the others out.
   */
  static Optional<JobFailure> partlyInvalid(JsonNode body, Optional<String> outputNode) {
    JsonNode errors = body.path("node_errors");
    boolean hurts = false;
    for (Map.Entry<String, JsonNode> node : errors.properties()) {
      hurts |= outputNode.isEmpty() || outputNode.get().equals(node.getKey());
      for (JsonNode dependent : node.getValue().path("dependent_outputs")) {
        hurts |= outputNode.isPresent() && outputNode.get().equals(dependent.asString(""));
      }
    }
    return hurts
        ? Optional.of(JobFailure.permanent("the workflow was refused: " + words(body)))
        : Optional.empty();
  }

  /** Whether the graph was refused because it names one of these files, which should be there. */
  static boolean missesOneOf(JsonNode body, Iterable<String> files) {
    for (JsonNode node : body.path("node_errors")) {
      for (JsonNode error : node.path("errors")) {
        String details = error.path("details").asString("");
        for (String file : files) {
          if (details.contains(file)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** A node threw while it was executed. */
  public static JobFailure executionError(JsonNode error) {
    String type = error.path("exception_type").asString("");
    String said = Clean.forOwner(error.path("exception_message").asString(""));
    String simple = type.substring(type.lastIndexOf('.') + 1);
    String message =
        Clean.forOwner(
            "%s (node %s): %s: %s"
                .formatted(
                    error.path("node_type").asString("node"),
                    error.path("node_id").asString("?"),
                    simple.isEmpty() ? "error" : simple,
                    said));
    if (outOfMemory(error)) {
      return JobFailure.retryable(message, Duration.ofSeconds(10));
    }
    String all = (type + " " + said).toLowerCase(java.util.Locale.ROOT);
    boolean device = DEVICE_WORDS.stream().anyMatch(all::contains);
    boolean passing = device || PASSING_WORDS.stream().anyMatch(all::contains);
    if (!passing && LASTING_TYPES.contains(simple)) {
      return JobFailure.permanent(message);
    }
    JobFailure failure = JobFailure.retryable(message);
    return device ? failure.withDoubt() : failure;
  }

  static boolean outOfMemory(JsonNode error) {
    String all =
        (error.path("exception_type").asString("") + error.path("exception_message").asString(""))
            .toLowerCase(java.util.Locale.ROOT);
    return all.contains("outofmemory")
        || all.contains("out of memory")
        || all.contains("allocation on device");
  }
}
