package dev.millrace.worker.fake;

import java.time.Instant;
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
  long deadline;
  boolean cancel;
  String reason = "";
  List<JsonNode> outputs = List.of();
  String completedBy = "";

  public FakeJob(String workflow) {
    body.put("workflow", workflow);
    body.put("workflow_version", 1);
    body.put("effect", workflow + "/plain");
    body.put("provider", null);
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

  /**
   * Gives it to a worker.
   *
   * @param runSeconds after so long the attempt is cut off
   * @return as the worker sees it
   */
  Map<String, Object> lease(double leaseSeconds, double runSeconds, List<?> assets) {
    state = "running";
    attempt++;
    leaseToken = UUID.randomUUID().toString();
    extend(leaseSeconds);
    deadline = System.nanoTime() + (long) (runSeconds * 1e9);
    Instant now = Instant.now();
    Map<String, Object> json = new LinkedHashMap<>(body);
    json.put("job_id", id);
    json.put("attempt", attempt);
    json.put("lease_token", leaseToken);
    json.put("lease_seconds", leaseSeconds);
    json.put("lease_expires_at", now.plusNanos((long) (leaseSeconds * 1e9)).toString());
    json.put("deadline_at", now.plusNanos((long) (runSeconds * 1e9)).toString());
    json.put("assets", assets);
    json.put("output", Map.of("key_prefix", "tenants/t/jobs/" + id, "max_bytes", 1_000_000_000));
    return json;
  }

  void extend(double leaseSeconds) {
    leaseEnds = System.nanoTime() + (long) (leaseSeconds * 1e9);
  }

  /** Whether a worker may have it; one whose deadline has passed is over. */
  boolean claimable() {
    expire();
    boolean lost = state.equals("running") && System.nanoTime() - leaseEnds > 0;
    return state.equals("queued") || lost;
  }

  boolean holds(String token) {
    expire();
    return state.equals("running") && leaseToken.equals(token) && System.nanoTime() - leaseEnds < 0;
  }

  private void expire() {
    if (state.equals("running") && System.nanoTime() - deadline > 0) {
      state = "expired";
    }
  }

  public String id() {
    return id;
  }
}
