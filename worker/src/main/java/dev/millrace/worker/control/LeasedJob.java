package dev.millrace.worker.control;

import dev.millrace.spi.executor.Asset;
import dev.millrace.worker.http.AnswerJson;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/**
 * A job that this worker holds the lease of.
 *
 * @param timeLeft how long from now until the server cuts the attempt off, if it said so
 * @param keepMetadata whether the outputs keep what tells how they were made
 * @param urls where each asset can be fetched, by file id
 * @param json as the server sent it, for keeping over a restart
 */
public record LeasedJob(
    String jobId,
    int attempt,
    String leaseToken,
    Duration lease,
    Optional<Duration> timeLeft,
    String workflow,
    int workflowVersion,
    String effect,
    Optional<String> provider,
    Map<String, Object> input,
    Optional<Map<String, Object>> template,
    Optional<String> outputNode,
    boolean keepMetadata,
    List<Asset> assets,
    Map<String, URI> urls,
    JsonNode json) {

  /** Where it is kept when the lease began: milliseconds by this machine's clock. */
  public static final String LEASED_AT = "worker_leased_at";

  /**
   * Reads a job of a poll's answer.
   *
   * @throws IllegalArgumentException if it isn't one
   */
  public static LeasedJob of(JsonNode json) {
    JsonNode template = json.path("template");
    Duration lease = Seconds.of(json.path("lease_seconds"), Duration.ofSeconds(60));
    return new LeasedJob(
        required(json, "job_id"),
        Math.max(1, json.path("attempt").asInt(1)),
        required(json, "lease_token"),
        lease,
        timeLeft(json, lease),
        json.path("workflow").asString(""),
        json.path("workflow_version").asInt(1),
        json.path("effect").asString(""),
        text(json.path("provider")),
        AnswerJson.map(json.path("input")),
        template.isObject() ? Optional.of(AnswerJson.map(template)) : Optional.empty(),
        text(json.path("output_node")),
        json.path("keep_metadata").asBoolean(false),
        assets(json.path("assets")),
        urls(json.path("assets")),
        json);
  }

  /**
   * Reckoned between two times of the server, and between two of this machine if the lease was kept
   * over a restart, so that the clocks needn't agree.
   */
  private static Optional<Duration> timeLeft(JsonNode json, Duration lease) {
    try {
      Instant deadline = Instant.parse(json.path("deadline_at").asString(""));
      Instant leaseEnds = Instant.parse(json.path("lease_expires_at").asString(""));
      long now = Instant.now().toEpochMilli();
      long since = Math.max(0, now - json.path(LEASED_AT).asLong(now));
      return Optional.of(Duration.between(leaseEnds, deadline).plus(lease).minusMillis(since));
    } catch (DateTimeParseException _) {
      return Optional.empty();
    }
  }

  /** A name for an attempt that is the same whoever asks, and a UUID, which ComfyUI likes best. */
  public UUID attemptId(int number) {
    String name = "millrace/" + jobId + "/" + number;
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
  }

  static Map<String, URI> urls(JsonNode assets) {
    Map<String, URI> urls = new LinkedHashMap<>();
    for (JsonNode asset : assets) {
      urls.put(fileId(asset), URI.create(required(asset, "url")));
    }
    return urls;
  }

  private static List<Asset> assets(JsonNode assets) {
    List<Asset> list = new ArrayList<>();
    for (JsonNode asset : assets) {
      list.add(
          new Asset(
              asset.path("name").asString(""),
              fileId(asset),
              required(asset, "sha256").toLowerCase(java.util.Locale.ROOT),
              asset.path("size").asLong(-1),
              asset.path("media_type").asString("application/octet-stream"),
              text(asset.path("placeholder"))));
    }
    return List.copyOf(list);
  }

  private static String fileId(JsonNode asset) {
    return text(asset.path("file_id")).orElseGet(() -> asset.path("name").asString(""));
  }

  private static Optional<String> text(JsonNode node) {
    return Optional.of(node.asString("")).filter(text -> !text.isEmpty());
  }

  private static String required(JsonNode json, String name) {
    String text = json.path(name).asString("");
    if (text.isEmpty()) {
      throw new IllegalArgumentException("a job without " + name);
    }
    return text;
  }

  /** Without the input and the token. */
  @Override
  public String toString() {
    return "LeasedJob[" + jobId + ", attempt " + attempt + "]";
  }
}
