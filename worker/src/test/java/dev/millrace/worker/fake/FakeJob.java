package dev.millrace.worker.fake;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/** A job at the double. Its fields are read and written under the double's lock. */
public final class FakeJob {

  final String id = UUID.randomUUID().toString();
  final Map<String, Object> body = new LinkedHashMap<>();
  final List<JsonNode> heartbeats = new ArrayList<>();
  String state = "queued";
  int attempt;
  int interruptions;
  String leaseToken = "";
  long leaseEnds;
  boolean cancel;
  String reason = "";
  List<JsonNode> outputs = List.of();
  String completedBy = "";

  public FakeJob(String workflow) {
    body.put("workflow", workflow);
    body.put("workflow_version", 1);
    body.put("effect", workflow + "/plain");
    body.put("input", Map.of());
    body.put("assets", new ArrayList<>());
  }

  /** Any field of the job as a worker sees it. */
  public FakeJob with(String name, Object value) {
    body.put(name, value);
    return this;
  }

  public FakeJob input(Map<String, Object> input) {
    return with("input", input);
  }

  public String id() {
    return id;
  }
}
