package dev.millrace.testkit.comfy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** A prompt in the double: waiting, running or done. Guarded by the double's lock. */
final class Prompt {

  final int number;
  final String id;
  final JsonNode graph;
  final Map<String, Object> extra;
  final List<String> outputNodes;
  final Map<String, Object> outputs = new LinkedHashMap<>();
  final List<Object> messages = new ArrayList<>();
  boolean interrupted;

  Prompt(
      int number, String id, JsonNode graph, Map<String, Object> extra, List<String> outputNodes) {
    this.number = number;
    this.id = id;
    this.graph = graph;
    this.extra = extra;
    this.outputNodes = outputNodes;
  }

  String clientId() {
    return String.valueOf(extra.getOrDefault("client_id", ""));
  }

  List<Object> item() {
    return List.of(number, id, graph, extra, outputNodes);
  }

  Map<String, Object> entry(boolean success) {
    Map<String, Object> meta = new LinkedHashMap<>();
    outputs
        .keySet()
        .forEach(node -> {
          Map<String, Object> one = new LinkedHashMap<>();
          one.put("node_id", node);
          one.put("display_node", node);
          one.put("parent_node", null);
          one.put("real_node_id", node);
          meta.put(node, one);
        });
    return Map.of(
        "prompt",
        item(),
        "outputs",
        outputs,
        "status",
        Map.of(
            "status_str",
            success ? "success" : "error",
            "completed",
            success,
            "messages",
            messages),
        "meta",
        meta);
  }
}
