package dev.millrace.testkit.comfy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Runs one prompt in the double, node by node, and tells about it as ComfyUI does. */
final class Execution {

  /** A node threw. */
  static final class Thrown extends Exception {
    private static final long serialVersionUID = 1L;
    private final String type;

    Thrown(String type, String message) {
      super(message);
      this.type = type;
    }

    String type() {
      return type;
    }
  }

  /** The prompt was interrupted. */
  static final class Interrupted extends Exception {
    private static final long serialVersionUID = 1L;
  }

  private final FakeComfyUi comfy;
  private final Prompt prompt;
  private final Map<String, Object> states = new LinkedHashMap<>();
  private final List<String> executed = new ArrayList<>();

  Execution(FakeComfyUi comfy, Prompt prompt) {
    this.comfy = comfy;
    this.prompt = prompt;
  }

  /** True if it succeeded. Called under the double's lock. */
  boolean run() throws InterruptedException {
    message("execution_start", Map.of());
    List<String> order = order();
    List<String> cached = order.stream().filter(node -> comfy.cached(signature(node))).toList();
    message("execution_cached", Map.of("nodes", cached));
    String now = "";
    try {
      for (String node : order) {
        now = node;
        if (cached.contains(node)) {
          recall(node);
        } else {
          execute(node);
        }
      }
    } catch (Thrown e) {
      failed(now, e);
      return false;
    } catch (Interrupted e) {
      message(
          "execution_interrupted",
          Map.of("node_id", now, "node_type", type(now), "executed", List.copyOf(executed)));
      return false;
    }
    message("execution_success", Map.of());
    return true;
  }

  /** What a node needs comes before it. */
  private List<String> order() {
    Set<String> order = new LinkedHashSet<>();
    prompt.outputNodes.forEach(node -> visit(node, order));
    return List.copyOf(order);
  }

  private void visit(String node, Set<String> order) {
    for (JsonNode input : prompt.graph.path(node).path("inputs")) {
      if (input.isArray()) {
        visit(input.path(0).asString(""), order);
      }
    }
    order.add(node);
  }

  private String type(String node) {
    return prompt.graph.path(node).path("class_type").asString("");
  }

  /** A node with the same inputs, and what they come from, was run before. */
  private String signature(String node) {
    StringBuilder text = new StringBuilder(prompt.graph.path(node).toString());
    for (JsonNode input : prompt.graph.path(node).path("inputs")) {
      if (input.isArray()) {
        text.append(signature(input.path(0).asString("")));
      }
    }
    return text.toString();
  }

  /** The trap: without a client nobody is told of a cached node's output, not even the history. */
  private void recall(String node) {
    Map<String, Object> output = comfy.recall(signature(node));
    if (!output.isEmpty() && !prompt.clientId().isEmpty()) {
      prompt.outputs.put(node, output);
      comfy.tell(prompt, "executed", Map.of("node", node, "display_node", node, "output", output));
      state(node, 1, 1, "finished");
    }
  }

  private void execute(String node) throws Thrown, Interrupted, InterruptedException {
    state(node, 0, 1, "running");
    comfy.tell(prompt, "executing", Map.of("node", node, "display_node", node));
    JsonNode inputs = prompt.graph.path(node).path("inputs");
    Map<String, Object> output = Map.of();
    switch (type(node)) {
      case "LoadImage" -> {
        if (comfy.isCorrupt(inputs.path("image").asString(""))) {
          String file = "/opt/comfy/input/" + inputs.path("image").asString("");
          throw new Thrown(
              "PIL.UnidentifiedImageError", "cannot identify image file '" + file + "'\n");
        }
      }
      case "ImageBlur" -> compute();
      case "TestSleep" -> sleep(node, inputs.path("seconds").asDouble(1));
      case "TestSyncError" ->
          throw new Thrown("RuntimeError", "Intentional sync execution error for testing\n");
      case "TestOutOfMemory" ->
          throw new Thrown("torch.OutOfMemoryError", "Allocation on device 0 would exceed ...\n");
      default -> {
        if (Nodes.of(type(node)).saves()) {
          output = save(node);
        }
      }
    }
    state(node, 1, 1, "finished");
    executed.add(node);
    comfy.remember(signature(node), output);
    if (!output.isEmpty()) {
      prompt.outputs.put(node, output);
      comfy.tell(prompt, "executed", Map.of("node", node, "display_node", node, "output", output));
    }
  }

  /** What needs the device. */
  private void compute() throws Thrown {
    if (comfy.deviceFails) {
      throw new Thrown(
          "torch.AcceleratorError",
          "CUDA error: device-side assert triggered\nCUDA kernel errors might be ...\n");
    }
  }

  /** No time passes: a long sleep lasts until somebody ends it. */
  private void sleep(String node, double seconds) throws Interrupted, InterruptedException {
    for (double part : new double[] {0.25, 0.5, 0.75}) {
      slept(node, part, seconds);
    }
    if (seconds > 1) {
      comfy.awaitRelease(
          prompt, times -> slept(node, Math.min(0.99, 0.75 + 0.02 * times), seconds));
    }
    if (prompt.interrupted) {
      throw new Interrupted();
    }
  }

  private void slept(String node, double part, double seconds) {
    state(node, seconds * part, seconds, "running");
    comfy.tell(prompt, "progress", Map.of("value", seconds * part, "max", seconds, "node", node));
  }

  private Map<String, Object> save(String node) {
    Nodes.Type type = Nodes.of(type(node));
    String prefix =
        prompt.graph.path(node).path("inputs").path("filename_prefix").asString("ComfyUI");
    boolean preview = type(node).equals("PreviewImage");
    String folder = prefix.contains("/") ? prefix.substring(0, prefix.lastIndexOf('/')) : "";
    String stem = preview ? "ComfyUI_temp_htipu" : prefix.substring(prefix.lastIndexOf('/') + 1);
    byte[] content = Media.of(type.ending(), type(node) + " of " + prompt.id);
    String name = comfy.save(folder, stem, type.ending(), content, preview);
    Map<String, Object> file = new LinkedHashMap<>();
    file.put("filename", name);
    file.put("subfolder", folder);
    file.put("type", preview ? "temp" : "output");
    Map<String, Object> output = new LinkedHashMap<>(Map.of(type.output(), List.of(file)));
    if (type(node).equals("SaveVideo") || type(node).equals("SaveAnimatedWEBP")) {
      output.put("animated", List.of(true));
    }
    return output;
  }

  private void failed(String node, Thrown e) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("node_id", node);
    facts.put("node_type", type(node));
    facts.put("executed", List.copyOf(executed));
    facts.put("exception_message", String.valueOf(e.getMessage()));
    facts.put("exception_type", e.type());
    facts.put("traceback", List.of("  File ...\n"));
    facts.put("current_inputs", Map.of());
    facts.put("current_outputs", List.copyOf(prompt.graph.propertyNames()));
    message("execution_error", facts);
  }

  private void state(String node, double value, double max, String state) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("value", value);
    facts.put("max", max);
    facts.put("state", state);
    facts.put("node_id", node);
    facts.put("prompt_id", prompt.id);
    facts.put("display_node_id", node);
    facts.put("parent_node_id", null);
    facts.put("real_node_id", node);
    states.put(node, facts);
    comfy.tell(prompt, "progress_state", Map.of("nodes", new LinkedHashMap<>(states)));
  }

  /** Kept in the history and told to the client. */
  private void message(String type, Map<String, Object> facts) {
    Map<String, Object> data = new LinkedHashMap<>();
    if (type.equals("execution_cached")) {
      data.putAll(facts);
      data.put("prompt_id", prompt.id);
    } else {
      data.put("prompt_id", prompt.id);
      data.putAll(facts);
    }
    data.put("timestamp", 1794766215070L);
    prompt.messages.add(List.of(type, data));
    comfy.tell(prompt, type, data);
  }
}
