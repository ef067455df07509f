package dev.millrace.worker.control;

import dev.millrace.worker.http.Answer;
import dev.millrace.worker.http.AnswerJson;
import dev.millrace.worker.http.Unreachable;
import dev.millrace.worker.http.Web;
import dev.millrace.worker.log.Clean;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The server, as a worker sees it. Safe for several threads. */
public final class ControlPlane {

  /** The most that a step and a reason may have; a longer one would be refused. */
  public static final int LONGEST_WORDS = 200;

  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final int DAY_SECONDS = 86_400;

  /** What any store gives. */
  private static final long READ_BYTES_PER_SECOND = 10_000_000;

  private final Web web;
  private final URI server;
  private volatile String token = "";

  public ControlPlane(Web web, URI server) {
    this.web = web;
    this.server = server;
  }

  /** The token that the next calls carry. */
  public void use(String token) {
    this.token = token;
  }

  /**
   * What a poll brought.
   *
   * @param unreadable how many jobs made no sense; their leases end by themselves
   */
  public record Polled(String status, List<LeasedJob> jobs, int unreadable) {}

  /** A heartbeat's answer; {@code urls} are fresh ones for assets, by file id. */
  public record HeartbeatAnswer(boolean cancel, Map<String, URI> urls) {}

  /** Where to put an output. */
  public sealed interface Slot {

    String key();

    /** At once. */
    record Whole(String key, URI url, Map<String, String> headers) implements Slot {}

    /**
     * In parts.
     *
     * @param partBytes the size of every part but the last
     */
    record Parts(String key, String uploadId, long partBytes, List<Place> places) implements Slot {

      public Parts {
        places = List.copyOf(places);
      }
    }
  }

  /** Where to put one part of an output. */
  public record Place(int number, URI url, Map<String, String> headers) {}

  /** What a heartbeat tells. */
  public record Progress(int percent, String step, String message) {}

  public Registration register(Registration.Request request, String fleetSecret)
      throws NotAllowed, TryLater, Refused, InterruptedException {
    try {
      Answer answer =
          web.post(at("register"), Map.of("X-Fleet-Secret", fleetSecret), request.json(), LIMIT);
      if (answer.status() == 401 || answer.status() == 403) {
        throw new NotAllowed(words(answer), false);
      }
      return Registration.of(fine(answer));
    } catch (Unreachable e) {
      throw later(e);
    } catch (StaleLease e) {
      throw new Refused(409, "conflict", String.valueOf(e.getMessage()));
    }
  }

  /** Waits up to {@code wait} for jobs. */
  public Polled poll(int max, Duration wait)
      throws NotAllowed, TryLater, Refused, InterruptedException {
    return poll(AnswerJson.object().put("max", max).put("wait", wait.toSeconds()), wait);
  }

  /** Says that this worker is there and takes no jobs, and why; polls that wait end with it. */
  public Polled notReady(String reason) throws NotAllowed, TryLater, Refused, InterruptedException {
    ObjectNode body = AnswerJson.object().put("max", 1).put("wait", 0).put("ready", false);
    return poll(body.put("reason", Clean.cut(reason, LONGEST_WORDS)), Duration.ZERO);
  }

  private Polled poll(ObjectNode body, Duration wait)
      throws NotAllowed, TryLater, Refused, InterruptedException {
    try {
      JsonNode answer = call("poll", body, wait.plus(LIMIT));
      List<LeasedJob> jobs = new ArrayList<>();
      int unreadable = 0;
      for (JsonNode job : answer.path("jobs")) {
        try {
          jobs.add(LeasedJob.of(job));
        } catch (IllegalArgumentException _) {
          unreadable++;
        }
      }
      return new Polled(answer.path("status").asString("approved"), jobs, unreadable);
    } catch (StaleLease e) {
      throw new IllegalStateException(e);
    }
  }

  public HeartbeatAnswer heartbeat(
      LeasedJob job,
      Optional<Progress> progress,
      Map<String, Object> summary,
      boolean freshUrls,
      Duration limit)
      throws StaleLease, NotAllowed, TryLater, Refused, InterruptedException {
    ObjectNode body = of(job);
    progress.ifPresent(now ->
        body.put("progress", now.percent()).put("step", now.step()).put("message", now.message()));
    if (!summary.isEmpty()) {
      body.set("summary", AnswerJson.tree(summary));
    }
    if (freshUrls) {
      body.put("fresh_urls", true);
    }
    JsonNode answer = call("heartbeat", body, limit);
    return new HeartbeatAnswer(
        answer.path("cancel").asBoolean(false), LeasedJob.urls(answer.path("assets")));
  }

  public Slot upload(LeasedJob job, String mediaType, long size, String sha256)
      throws StaleLease, NotAllowed, TryLater, Refused, InterruptedException {
    ObjectNode body = of(job).put("media_type", mediaType).put("size", size).put("sha256", sha256);
    JsonNode answer = call("upload", body, LIMIT);
    String key = answer.path("key").asString("");
    return answer.has("parts")
        ? new Slot.Parts(
            key,
            answer.path("upload_id").asString(""),
            Math.max(1, answer.path("part_bytes").asLong(0)),
            places(answer))
        : new Slot.Whole(key, URI.create(answer.path("url").asString("")), headers(answer));
  }

  /** Fresh places for parts of an output. */
  public List<Place> parts(LeasedJob job, Slot.Parts slot, long size, List<Integer> numbers)
      throws StaleLease, NotAllowed, TryLater, Refused, InterruptedException {
    ObjectNode body =
        of(job)
            .put("key", slot.key())
            .put("upload_id", slot.uploadId())
            .put("size", size)
            .put("part_bytes", slot.partBytes());
    numbers.forEach(body.putArray("numbers")::add);
    return places(call("upload/parts", body, LIMIT));
  }

  private static List<Place> places(JsonNode answer) {
    List<Place> places = new ArrayList<>();
    for (JsonNode part : answer.path("parts")) {
      places.add(
          new Place(
              part.path("number").asInt(0),
              URI.create(part.path("url").asString("")),
              headers(part)));
    }
    return places;
  }

  private static Map<String, String> headers(JsonNode place) {
    Map<String, String> headers = new LinkedHashMap<>();
    place
        .path("headers")
        .properties()
        .forEach(h -> headers.put(h.getKey(), h.getValue().asString("")));
    return headers;
  }

  /** Returns the job's state. */
  public String complete(LeasedJob job, List<ObjectNode> outputs, Map<String, Object> summary)
      throws StaleLease, NotAllowed, TryLater, Refused, InterruptedException {
    ObjectNode body = of(job);
    outputs.forEach(body.putArray("outputs")::add);
    if (!summary.isEmpty()) {
      body.set("summary", AnswerJson.tree(summary));
    }
    return state(call("complete", body, patience(outputs)));
  }

  /** The server reads large outputs back before it answers. */
  private static Duration patience(List<ObjectNode> outputs) {
    long bytes = outputs.stream().mapToLong(output -> output.path("size").asLong(0)).sum();
    return LIMIT.plus(LIMIT).plusSeconds(bytes / READ_BYTES_PER_SECOND);
  }

  /** Returns the job's state. */
  public String fail(LeasedJob job, String kind, String message, Optional<Duration> retryAfter)
      throws StaleLease, NotAllowed, TryLater, Refused, InterruptedException {
    ObjectNode body = of(job).put("error_class", kind).put("message", message);
    retryAfter.ifPresent(
        wait -> body.put("retry_after_seconds", Math.clamp(wait.toSeconds(), 0, DAY_SECONDS)));
    return state(call("fail", body, LIMIT));
  }

  /** Returns the job's state. */
  public String requeue(LeasedJob job, String reason)
      throws StaleLease, NotAllowed, TryLater, Refused, InterruptedException {
    String words = Clean.cut(reason, LONGEST_WORDS);
    return state(call("requeue", of(job).put("reason", words.isBlank() ? "unsaid" : words), LIMIT));
  }

  /** Returns the job's state. */
  public String canceled(LeasedJob job)
      throws StaleLease, NotAllowed, TryLater, Refused, InterruptedException {
    return state(call("canceled", of(job), LIMIT));
  }

  public void deregister() throws NotAllowed, TryLater, Refused, InterruptedException {
    try {
      call("deregister", AnswerJson.object(), LIMIT);
    } catch (StaleLease e) {
      throw new IllegalStateException(e);
    }
  }

  private static ObjectNode of(LeasedJob job) {
    return AnswerJson.object().put("job_id", job.jobId()).put("lease_token", job.leaseToken());
  }

  private static String state(JsonNode answer) {
    return answer.path("state").asString("");
  }

  private JsonNode call(String name, ObjectNode body, Duration limit)
      throws StaleLease, NotAllowed, TryLater, Refused, InterruptedException {
    try {
      return fine(web.post(at(name), Map.of("Authorization", "Bearer " + token), body, limit));
    } catch (Unreachable e) {
      throw later(e);
    }
  }

  private URI at(String name) {
    return URI.create(server + "/api/worker/" + name);
  }

  private static JsonNode fine(Answer answer) throws StaleLease, NotAllowed, TryLater, Refused {
    if (answer.ok()) {
      return answer.body();
    }
    if (answer.status() == 401) {
      throw new NotAllowed(words(answer), !answer.code().equals("worker_revoked"));
    }
    if (answer.status() == 409 && answer.code().equals("stale_lease")) {
      throw new StaleLease(words(answer));
    }
    if (answer.passing()) {
      throw new TryLater(words(answer), answer.retryAfter().orElse(Duration.ZERO));
    }
    throw new Refused(answer.status(), answer.code(), words(answer));
  }

  private static TryLater later(Unreachable trouble) {
    return new TryLater(Clean.text(trouble.getMessage()), Duration.ZERO);
  }

  private static String words(Answer answer) {
    String detail = answer.body().path("detail").asString("");
    String title = answer.body().path("title").asString("");
    String said = detail.isEmpty() ? title : detail;
    return Clean.text(answer.status() + " " + answer.code() + " " + said).strip();
  }
}
