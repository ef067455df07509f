package dev.millrace.worker.fake;

import dev.millrace.testkit.net.Reply;
import dev.millrace.testkit.net.Request;
import dev.millrace.testkit.net.SmallServer;
import dev.millrace.worker.http.AnswerJson;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/** The server's side of the protocol. */
public final class FakeMillrace implements AutoCloseable {

  public static final String SECRET = "fleet-secret-canary";

  private final SmallServer server = SmallServer.start(this::answer);
  private final Map<String, FakeJob> jobs = new LinkedHashMap<>();
  private final FakeObjects objects = new FakeObjects();
  private final Set<String> revoked = new HashSet<>();
  private final Map<String, String> tokens = new HashMap<>();
  private final List<String> calls = new ArrayList<>();
  private final Set<String> lies = new LinkedHashSet<>();
  private final Deque<String> loseAnswers = new ArrayDeque<>();
  private final Deque<String> refuse = new ArrayDeque<>();
  private final List<JsonNode> registrations = new ArrayList<>();
  private double leaseSeconds = 60;
  private double heartbeatSeconds = 0.2;
  private double runSeconds = 3600;
  private boolean refuseOutputs;
  private String notReady = "";
  private CountDownLatch lossMayCome = new CountDownLatch(0);

  public URI url() {
    return server.url();
  }

  /** Shorter times than a real server would give, so that tests are quick. */
  public synchronized FakeMillrace leases(double lease, double heartbeat) {
    leaseSeconds = lease;
    heartbeatSeconds = heartbeat;
    return this;
  }

  /** Attempts are cut off after so long. */
  public synchronized FakeMillrace deadline(double seconds) {
    runSeconds = seconds;
    return this;
  }

  public synchronized FakeJob submit(FakeJob job) {
    jobs.put(job.id, job);
    notifyAll();
    return job;
  }

  /** A file for a job's input. The address has a signature, which must never be logged. */
  public synchronized Map<String, Object> asset(String name, byte[] content, String mediaType) {
    return objects.asset(name, content, mediaType);
  }

  public synchronized void spoil(Map<String, Object> asset) {
    objects.put(String.valueOf(asset.get("file_id")), "spoiled".getBytes(StandardCharsets.UTF_8));
  }

  /** Every address that was given out until now stops working. */
  public synchronized void endUrls() {
    objects.endUrls();
  }

  public synchronized void cancel(FakeJob job) {
    job.cancel = true;
  }

  /** As if the lease had ended and somebody else had the job. */
  public synchronized void takeAway(FakeJob job) {
    job.leaseToken = "somebody-else";
  }

  /** The lease ends without its time having passed, and whoever asks next gets the job. */
  public synchronized void endLease(FakeJob job) {
    job.leaseEnds = System.nanoTime() - 1;
    notifyAll();
  }

  public synchronized void revoke(String worker) {
    revoked.add(worker);
  }

  /** As a server that lost its memory of the fleet. */
  public synchronized void forgetWorkers() {
    tokens.clear();
  }

  /** The only worker has another token now, and its old one is dead. */
  public synchronized String rotate() {
    String worker = tokens.values().iterator().next();
    tokens.clear();
    String token = "mrw_" + UUID.randomUUID().toString().replace("-", "");
    tokens.put(token, worker);
    return token;
  }

  /** The next call of this name is done, but its answer is lost. */
  public synchronized void loseAnswerOf(String call) {
    loseAnswers.add(call);
  }

  /** The next call of this name is done, and its answer is lost when the latch says so. */
  public synchronized void loseAnswerOf(String call, CountDownLatch when) {
    loseAnswers.add(call);
    lossMayCome = when;
  }

  /** The next call of this name is answered 503. */
  public synchronized void refuseOnce(String call) {
    refuse.add(call);
  }

  public synchronized void failUploads(int count) {
    objects.failUploads(count);
  }

  /** Larger outputs come in parts, and addresses end after so many of them. */
  public synchronized void takeParts(int bytes, int endAfter) {
    objects.takeParts(bytes, endAfter);
  }

  public synchronized byte[] stored(String key) {
    return objects.get(key);
  }

  /** No output is good enough from now on. */
  public synchronized void refuseOutputs() {
    refuseOutputs = true;
  }

  public void die() {
    server.stop();
  }

  public void comeBack() {
    server.startAgain();
  }

  /** Why the worker takes no jobs, as it told last; empty while it does. */
  public synchronized String notReady() {
    return notReady;
  }

  public synchronized String state(FakeJob job) {
    return job.state;
  }

  public synchronized String reason(FakeJob job) {
    return job.reason;
  }

  /** How often it was given back. */
  public synchronized int interruptions(FakeJob job) {
    return job.interruptions;
  }

  public synchronized int attempts(FakeJob job) {
    return job.attempt;
  }

  public synchronized List<JsonNode> heartbeats(FakeJob job) {
    return List.copyOf(job.heartbeats);
  }

  public synchronized List<JsonNode> outputs(FakeJob job) {
    return job.outputs;
  }

  /** What was stored as the job's output. */
  public synchronized byte[] content(FakeJob job, int number) {
    return objects.get(job.outputs.get(number).path("key").asString(""));
  }

  /** All in order but heartbeats: one that was under way may be seen after its run has ended. */
  public synchronized List<String> calls() {
    return calls.stream().filter(call -> !call.equals("heartbeat")).toList();
  }

  public synchronized long calls(String name) {
    return calls.stream().filter(name::equals).count();
  }

  public synchronized List<JsonNode> registrations() {
    return List.copyOf(registrations);
  }

  @Override
  public void close() {
    server.close();
    synchronized (this) {
      if (!lies.isEmpty()) {
        throw new AssertionError("The real server doesn't speak like this: " + lies);
      }
    }
  }

  private Reply answer(Request request) throws InterruptedException {
    String path = request.path();
    if (path.startsWith("/objects/")) {
      synchronized (this) {
        return objects.answer(request);
      }
    }
    String call = path.replaceFirst("^/api/worker/", "");
    JsonNode body = AnswerJson.read(request.body().bytes());
    CountDownLatch loss;
    synchronized (this) {
      calls.add(call);
      lies.addAll(ProtocolCheck.request(path, body.deepCopy()));
      Reply.Full reply =
          refuse.remove(call)
              ? Reply.problem(503, "overloaded", "Try again.").with("Retry-After", "0")
              : call(call, request, body);
      lies.addAll(ProtocolCheck.answer(path, reply));
      if (!loseAnswers.remove(call)) {
        return reply;
      }
      loss = lossMayCome;
    }
    loss.await();
    return new Reply.Cut();
  }

  private Reply.Full call(String call, Request request, JsonNode body) throws InterruptedException {
    if (call.equals("register")) {
      return register(request, body);
    }
    String token = request.header("Authorization").orElse("").replaceFirst("^Bearer ", "");
    Optional<String> worker = Optional.ofNullable(tokens.get(token));
    if (worker.isEmpty()) {
      return Reply.problem(401, "worker_unknown", "Register first.");
    }
    if (revoked.contains(worker.get())) {
      return Reply.problem(401, "worker_revoked", "An admin revoked this worker.");
    }
    return switch (call) {
      case "poll" -> poll(body, token);
      case "deregister" -> deregister(token);
      default -> report(call, body);
    };
  }

  private Reply.Full register(Request request, JsonNode body) {
    if (!request.header("X-Fleet-Secret").orElse("").equals(SECRET)) {
      return Reply.problem(401, "fleet_secret_wrong", "The fleet secret is wrong.");
    }
    String id = body.path("worker_id").asString("");
    if (tokens.containsValue(id)) {
      return Reply.problem(409, "worker_exists", "There is a worker with this id.");
    }
    registrations.add(body);
    String token = "mrw_" + UUID.randomUUID().toString().replace("-", "");
    tokens.put(token, id);
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("worker_id", id);
    answer.put("token", token);
    answer.put("status", "approved");
    answer.put("workflows_assigned", body.path("workflow_slugs"));
    answer.put("lease_seconds", leaseSeconds);
    answer.put("heartbeat_seconds", heartbeatSeconds);
    return Reply.json(201, answer);
  }

  private Reply.Full poll(JsonNode body, String token) throws InterruptedException {
    notReady = body.path("ready").asBoolean(true) ? "" : body.path("reason").asString("unsaid");
    notifyAll();
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(body.path("wait").asLong(0));
    while (tokens.containsKey(token)) {
      List<Object> leased = new ArrayList<>();
      for (FakeJob job : jobs.values()) {
        if (notReady.isEmpty() && leased.size() < body.path("max").asInt(1) && job.claimable()) {
          leased.add(job.lease(leaseSeconds, runSeconds, objects.signed(url(), job)));
        }
      }
      long left = until - System.nanoTime();
      if (!leased.isEmpty() || left <= 0 || !notReady.isEmpty()) {
        return Reply.json(200, Map.of("status", "approved", "jobs", leased));
      }
      TimeUnit.NANOSECONDS.timedWait(this, Math.min(left, 50_000_000));
    }
    return Reply.problem(401, "worker_unknown", "It took leave while it waited.");
  }

  private Reply.Full deregister(String token) {
    tokens.remove(token);
    jobs.values().stream()
        .filter(job -> job.state.equals("running"))
        .forEach(job -> {
          job.state = "queued";
          job.reason = "deregistered";
        });
    return Reply.empty(204);
  }

  private Reply.Full report(String call, JsonNode body) {
    FakeJob job = jobs.get(body.path("job_id").asString(""));
    String token = body.path("lease_token").asString("");
    if (job != null && call.equals("complete") && token.equals(job.completedBy)) {
      return left(job);
    }
    if (job == null || !job.holds(token)) {
      return Reply.problem(409, "stale_lease", "The lease has ended.");
    }
    return switch (call) {
      case "heartbeat" -> heartbeat(job, body);
      case "upload" -> upload(job, body);
      case "upload/parts" -> Reply.json(200, objects.renewed(url().toString(), body));
      case "complete" -> complete(job, body, token);
      case "fail" -> end(job, "failed:" + body.path("error_class").asString(""), "message", body);
      case "requeue" -> {
        job.interruptions++;
        yield end(job, "queued", "reason", body);
      }
      case "canceled" -> end(job, "canceled", "reason", body);
      default -> Reply.problem(404, "not_found", call);
    };
  }

  private Reply.Full heartbeat(FakeJob job, JsonNode body) {
    job.extend(leaseSeconds);
    job.heartbeats.add(body);
    return Reply.json(
        200,
        Map.of(
            "lease_expires_at", Instant.now().toString(),
            "cancel", job.cancel,
            "assets", objects.signed(url(), job)));
  }

  private Reply.Full upload(FakeJob job, JsonNode body) {
    String key = "tenants/t/jobs/" + job.id + "/attempt-" + job.attempt + "/" + UUID.randomUUID();
    return Reply.json(200, objects.place(url().toString(), key, body));
  }

  /** An output that isn't there fails the attempt; a request that makes no sense is refused. */
  private Reply.Full complete(FakeJob job, JsonNode body, String token) {
    if (refuseOutputs) {
      return Reply.problem(422, "invalid_request", "The outputs make no sense.");
    }
    List<JsonNode> outputs = new ArrayList<>();
    for (JsonNode output : body.path("outputs")) {
      objects.join(output);
      byte[] stored = objects.get(output.path("key").asString(""));
      if (!output.has("text")
          && !FakeObjects.sha256(stored).equals(output.path("sha256").asString(""))) {
        job.state = "failed:retryable";
        job.reason = "output_missing";
        Map<String, Object> error = Map.of("code", "output_missing", "message", "It isn't there.");
        return Reply.json(200, Map.of("job_id", job.id, "state", "pending", "error", error));
      }
      outputs.add(output);
    }
    job.outputs = outputs;
    job.completedBy = token;
    return end(job, "completed", "reason", body);
  }

  private Reply.Full end(FakeJob job, String state, String why, JsonNode body) {
    job.state = state;
    job.reason = body.path(why).asString("");
    notifyAll();
    return left(job);
  }

  private static Reply.Full left(FakeJob job) {
    String state =
        switch (job.state) {
          case "failed:retryable" -> "pending";
          case "failed:safety" -> "rejected";
          default -> job.state.replaceFirst(":.*", "");
        };
    return Reply.json(200, Map.of("job_id", job.id, "state", state));
  }
}
