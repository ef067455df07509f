package dev.millrace.worker.comfy;

import dev.millrace.spi.executor.JobFailure;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import tools.jackson.databind.JsonNode;

/**
 * A prompt of three small nodes that need no model. It shows that ComfyUI executes, and that the
 * device works: {@code ImageBlur} is computed there, while the others are not.
 */
final class Probe {

  private static final int COLOURS = 0x1000000;
  private static final String OUTPUT = "3";

  private Probe() {}

  /** Another colour each time: what was executed before would only be remembered. */
  static Map<String, Object> graph() {
    int colour = ThreadLocalRandom.current().nextInt(COLOURS);
    return Map.of(
        "1",
        node("EmptyImage", Map.of("width", 16, "height", 16, "batch_size", 1, "color", colour)),
        "2",
        node("ImageBlur", Map.of("image", List.of("1", 0), "blur_radius", 1, "sigma", 1.0)),
        OUTPUT,
        node("PreviewImage", Map.of("images", List.of("2", 0))));
  }

  /** Whether it was executed to its end, by its entry in the history. */
  static boolean succeeded(JsonNode entry) {
    try {
      return ComfyHistory.of(entry, Optional.of(OUTPUT)) instanceof ComfyHistory.Succeeded;
    } catch (JobFailure _) {
      return false;
    }
  }

  private static Map<String, Object> node(String type, Map<String, Object> inputs) {
    return Map.of("class_type", type, "inputs", inputs);
  }
}
