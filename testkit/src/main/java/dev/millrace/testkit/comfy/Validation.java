package dev.millrace.testkit.comfy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/**
 * What ComfyUI says of a graph before it runs it.
 *
 * @param error why nothing of it can run
 * @param nodeErrors by node; also there if only some of the outputs can't run
 * @param outputs the nodes that can
 */
record Validation(
    Optional<Map<String, Object>> error, Map<String, Object> nodeErrors, List<String> outputs) {

  static Validation of(JsonNode graph, Set<String> files) {
    for (Map.Entry<String, JsonNode> node : graph.properties()) {
      String type = node.getValue().path("class_type").asString("");
      String place = "Node ID '#" + node.getKey() + "'";
      if (type.isEmpty()) {
        return refused(
            "invalid_prompt",
            "Cannot execute because a node is missing the class_type property.",
            place);
      }
      if (!Nodes.known(type)) {
        return refused(
            "invalid_prompt", "Cannot execute because node " + type + " does not exist.", place);
      }
    }
    List<String> saving = new ArrayList<>();
    graph
        .properties()
        .forEach(node -> {
          if (Nodes.of(node.getValue().path("class_type").asString("")).saves()) {
            saving.add(node.getKey());
          }
        });
    if (saving.isEmpty()) {
      return refused("prompt_no_outputs", "Prompt has no outputs", "");
    }
    return outputs(graph, saving, files);
  }

  private static Validation outputs(JsonNode graph, List<String> saving, Set<String> files) {
    Map<String, Object> nodeErrors = new LinkedHashMap<>();
    List<String> fine = new ArrayList<>();
    String details = "";
    for (String output : saving) {
      Map<String, List<Object>> errors = new LinkedHashMap<>();
      check(graph, output, output, files, errors);
      errors.forEach((node, list) -> nodeErrors.put(node, nodeError(graph, node, output, list)));
      if (errors.isEmpty()) {
        fine.add(output);
      } else if (errors.toString().contains("exception_during_validation")) {
        details = "Exception when validating node: '" + broken(graph, output) + "'";
      }
    }
    if (fine.isEmpty()) {
      Map<String, Object> error =
          error("prompt_outputs_failed_validation", "Prompt outputs failed validation", details);
      return new Validation(Optional.of(error), nodeErrors, List.of());
    }
    return new Validation(Optional.empty(), nodeErrors, fine);
  }

  private static void check(
      JsonNode graph, String id, String output, Set<String> files, Map<String, List<Object>> all) {
    JsonNode node = graph.path(id);
    String type = node.path("class_type").asString("");
    JsonNode inputs = node.path("inputs");
    List<Object> errors = new ArrayList<>();
    for (String name : new TreeSet<>(Nodes.of(type).required())) {
      if (!inputs.has(name)) {
        errors.add(problem("required_input_missing", "Required input is missing", name, name));
      }
    }
    for (Map.Entry<String, JsonNode> input : inputs.properties()) {
      if (input.getValue().isArray()) {
        String from = input.getValue().path(0).asString("");
        if (graph.has(from)) {
          check(graph, from, output, files, all);
        } else {
          all.put(output, List.of(thrown(from)));
          return;
        }
      }
    }
    if (type.equals("LoadImage") && !files.contains(inputs.path("image").asString(""))) {
      String details = "image - Invalid image file: " + inputs.path("image").asString("");
      errors.add(
          problem(
              "custom_validation_failed", "Custom validation failed for node", details, "image"));
    }
    if (type.equals("ImageScale")) {
      scale(inputs, errors);
    }
    if (!errors.isEmpty()) {
      all.put(id, errors);
    }
  }

  private static void scale(JsonNode inputs, List<Object> errors) {
    String method = inputs.path("upscale_method").asString("");
    if (!Nodes.UPSCALE_METHODS.contains(method)) {
      errors.add(
          problem(
              "value_not_in_list",
              "Value not in list",
              "upscale_method: '" + method + "' not in " + Nodes.UPSCALE_METHODS,
              "upscale_method"));
    }
    for (String side : List.of("height", "width")) {
      int value = inputs.path(side).asInt(512);
      if (value < 0) {
        String message = "Value " + value + " smaller than min of 0";
        errors.add(problem("value_smaller_than_min", message, side, side));
      } else if (value > 16384) {
        String message = "Value " + value + " bigger than max of 16384";
        errors.add(problem("value_bigger_than_max", message, side, side));
      }
    }
  }

  private static String broken(JsonNode graph, String output) {
    for (JsonNode input : graph.path(output).path("inputs")) {
      if (input.isArray() && !graph.has(input.path(0).asString(""))) {
        return input.path(0).asString("");
      }
    }
    return "?";
  }

  private static Object thrown(String link) {
    return Map.of(
        "type",
        "exception_during_validation",
        "message",
        "Exception when validating node",
        "details",
        "'" + link + "'",
        "extra_info",
        Map.of("exception_type", "KeyError", "traceback", List.of("  File ...\n")));
  }

  private static Object problem(String type, String message, String details, String input) {
    return Map.of(
        "type",
        type,
        "message",
        message,
        "details",
        details,
        "extra_info",
        Map.of("input_name", input));
  }

  private static Object nodeError(JsonNode graph, String node, String output, List<Object> errors) {
    return Map.of(
        "errors",
        errors,
        "dependent_outputs",
        List.of(output),
        "class_type",
        Objects.requireNonNull(graph.path(node).path("class_type").asString("")));
  }

  static Validation refused(String type, String message, String details) {
    return new Validation(Optional.of(error(type, message, details)), Map.of(), List.of());
  }

  private static Map<String, Object> error(String type, String message, String details) {
    Map<String, Object> error = new LinkedHashMap<>();
    error.put("type", type);
    error.put("message", message);
    error.put("details", details);
    error.put("extra_info", Map.of());
    return error;
  }
}
