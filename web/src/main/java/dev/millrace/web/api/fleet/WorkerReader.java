package dev.millrace.web.api.fleet;

import dev.millrace.contract.text.OwnerText;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.Summary;
import dev.millrace.service.attempt.ProviderSummary;
import dev.millrace.service.files.UploadedOutputs;
import dev.millrace.service.files.UploadedOutputs.Claim;
import dev.millrace.service.fleet.DeliveredOutput;
import dev.millrace.service.fleet.Enrolment;
import dev.millrace.service.fleet.Polling;
import dev.millrace.service.fleet.WorkerReports.Claimed;
import dev.millrace.service.fleet.WorkerReports.News;
import dev.millrace.service.fleet.WorkerReports.Trouble;
import dev.millrace.storage.PartPlan;
import dev.millrace.web.api.request.Body;
import dev.millrace.web.api.request.Params;
import dev.millrace.web.api.request.PartsReader;
import dev.millrace.web.http.Request;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Reads what workers send. They are machines of ours, and trusted no more than anybody. */
public final class WorkerReader {

  /** The names that executors inside the server go by in leases are not free. */
  private static final Pattern WORKER =
      Pattern.compile("(?!local$|node-)[A-Za-z0-9][A-Za-z0-9._:-]{0,99}");

  private static final Pattern SLUG = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");
  private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");
  private static final String SHA256_LAW = "must be a SHA-256 in lower case hexadecimal";
  private static final String SLUG_LAW = "must be lower case letters, digits and single dashes";
  private static final int LONGEST_SLUG = 64;
  private static final int MOST_WORKFLOWS = 100;
  private static final int MOST_PROVIDERS = 20;
  private static final int MOST_OUTPUTS = 100;
  private static final int MOST_SLOTS = 1_000;
  private static final int LONGEST_STEP = 200;
  private static final long LONGEST_PAUSE_SECONDS = 86_400;
  private static final int LONGEST_MESSAGE = 20_000;
  private static final int MOST_TEXT_BYTES = 64 << 10;
  private static final long MOST_BYTES = 1L << 40;
  private static final TypeReference<Map<String, Object>> FACTS = new TypeReference<>() {};

  private WorkerReader() {}

  /** Whether a worker can have this name. */
  static boolean isWorker(String name) {
    return WORKER.matcher(name).matches();
  }

  /** What a poll asks for. */
  public record Poll(int max, Duration patience, Polling.Wish wish) {}

  public static Enrolment.Application application(ObjectNode fields) {
    Body body =
        Body.of(
            fields, "worker_id", "workflow_slugs", "max_concurrency", "providers", "capabilities");
    String id = body.text("worker_id");
    if (!id.isEmpty() && !WORKER.matcher(id).matches()) {
      body.wrong(
          "worker_id",
          "must be 1 to 100 letters, digits and . _ : - with a letter or digit first, and not local"
              + " or node-...");
    }
    List<String> slugs = slugs(body, "workflow_slugs", 1, MOST_WORKFLOWS);
    if (slugs == null) {
      body.wrong("workflow_slugs", "is required");
    }
    int slots = count(body, "max_concurrency", 1, 1, MOST_SLOTS);
    List<String> providers = slugs(body, "providers", 1, MOST_PROVIDERS);
    String capabilities = capabilities(body);
    body.requireGood();
    return new Enrolment.Application(
        id,
        slugs == null ? List.of() : slugs,
        slots,
        providers == null ? null : Set.copyOf(providers),
        capabilities);
  }

  private static String capabilities(Body body) {
    JsonNode raw = body.raw("capabilities");
    if (raw == null) {
      return "{}";
    }
    if (!(raw instanceof ObjectNode object)) {
      body.wrong("capabilities", "must be an object");
      return "{}";
    }
    try {
      summary(object);
    } catch (ProviderSummary.Refused e) {
      body.wrong("capabilities", "is refused: " + e.getMessage());
    }
    return raw.toString();
  }

  /** Names of workflows or providers; null if they are left out. */
  static @Nullable List<String> slugs(Body body, String name, int least, int most) {
    JsonNode value = body.raw(name);
    if (value == null) {
      return null;
    }
    Set<String> slugs = new LinkedHashSet<>();
    if (!value.isArray() || value.size() < least || value.size() > most) {
      body.wrong(name, "must be a list of %d to %d names".formatted(least, most));
      return List.of();
    }
    int index = 0;
    for (JsonNode each : value.values()) {
      String slug = each.isString() ? each.stringValue() : "";
      if (slug.length() > LONGEST_SLUG || !SLUG.matcher(slug).matches()) {
        body.wrong(name + "/" + index, SLUG_LAW);
      }
      slugs.add(slug);
      index++;
    }
    return List.copyOf(slugs);
  }

  static Poll poll(Request request) {
    return poll(Body.mendedOptional(request, "max", "wait", "ready", "reason", "providers"));
  }

  /** Of a body with at most the fields that a poll has. */
  public static Poll poll(Body body) {
    int max = count(body, "max", 1, 1, MOST_SLOTS);
    int wait = count(body, "wait", 0, 0, 30);
    boolean ready = body.flag("ready", true);
    String reason = words(body, "reason", LONGEST_MESSAGE);
    List<String> providers = slugs(body, "providers", 1, MOST_PROVIDERS);
    body.requireGood();
    boolean silent = reason == null || reason.isBlank();
    String notReady = ready ? null : silent ? "It gave no reason." : reason;
    return new Poll(
        max,
        Duration.ofSeconds(wait),
        new Polling.Wish(notReady, providers == null ? null : Set.copyOf(providers)));
  }

  static Body body(Request request, String... more) {
    List<String> known = new ArrayList<>(List.of("job_id", "lease_token"));
    known.addAll(List.of(more));
    return Body.of(request, known.toArray(String[]::new));
  }

  /** A body of words that may be as broken as what a program printed. */
  static Body words(Request request, String... more) {
    List<String> known = new ArrayList<>(List.of("job_id", "lease_token"));
    known.addAll(List.of(more));
    return Body.mended(request, known.toArray(String[]::new));
  }

  /** Whose lease the report is about. */
  public static Claimed claimed(Body body, String worker) {
    return new Claimed(worker, uuid(body, "job_id"), uuid(body, "lease_token"));
  }

  private static UUID uuid(Body body, String name) {
    JsonNode value = body.raw(name);
    Optional<UUID> id =
        value != null && value.isString() ? Params.uuid(value.stringValue()) : Optional.empty();
    if (id.isEmpty()) {
      body.wrong(name, value == null ? "is required" : "must be an id");
    }
    return id.orElseGet(() -> new UUID(0, 0));
  }

  public static News news(Body body, Summary summary) {
    JsonNode progress = body.raw("progress");
    return new News(
        progress == null || !progress.isNumber() ? null : body.percentOrNull("progress"),
        words(body, "step", LONGEST_STEP),
        words(body, "message", LONGEST_MESSAGE),
        summary);
  }

  /**
   * The summary of a report.
   *
   * @param ignored why nothing of it is taken; null if there is no such reason
   */
  record ReportedSummary(Summary summary, @Nullable String ignored) {
    static final ReportedSummary NONE = new ReportedSummary(Summary.EMPTY, null);
  }

  /** No report is worth losing for a summary that can't be kept. */
  static ReportedSummary facts(Body body) {
    JsonNode value = body.raw("summary");
    if (value == null) {
      return ReportedSummary.NONE;
    }
    if (!(value instanceof ObjectNode object)) {
      return new ReportedSummary(Summary.EMPTY, "Nothing of it was taken: it must be an object.");
    }
    try {
      return new ReportedSummary(summary(object), null);
    } catch (ProviderSummary.Refused e) {
      return new ReportedSummary(Summary.EMPTY, "Nothing of it was taken: " + e.getMessage() + ".");
    }
  }

  private static Summary summary(ObjectNode object) {
    return ProviderSummary.summary(JsonMapper.shared().convertValue(object, FACTS));
  }

  public static Trouble trouble(Body body) {
    String kind = Optional.ofNullable(text(body, "error_class", 20)).orElse("");
    Report.Fail.Kind read = Report.Fail.Kind.RETRYABLE;
    if (List.of("retryable", "permanent", "safety").contains(kind)) {
      read = Report.Fail.Kind.valueOf(kind.toUpperCase(Locale.ROOT));
    } else {
      body.wrong("error_class", "must be retryable, permanent or safety");
    }
    String message = words(body, "message", LONGEST_MESSAGE);
    return new Trouble(read, message == null ? "" : message, pause(body));
  }

  /**
   * How long to wait before the next try, in whole seconds upwards; what is longer than a day is
   * taken for a day. No report is worth losing for one that is none: then there is none.
   */
  private static @Nullable Duration pause(Body body) {
    JsonNode value = body.raw("retry_after_seconds");
    if (value == null || !value.isNumber() || value.decimalValue().signum() < 0) {
      return null;
    }
    BigDecimal seconds = value.decimalValue().min(BigDecimal.valueOf(LONGEST_PAUSE_SECONDS));
    return Duration.ofSeconds(seconds.setScale(0, RoundingMode.CEILING).longValueExact());
  }

  static Claim announced(Body body) {
    String type = text(body, "media_type", 100);
    if (type == null || type.isBlank()) {
      body.wrong("media_type", "must be a media type such as image/png");
    }
    long size = body.number("size", 1, MOST_BYTES);
    String sha256 = text(body, "sha256", 64);
    if (sha256 == null || !SHA256.matcher(sha256).matches()) {
      body.wrong("sha256", SHA256_LAW);
    }
    return new Claim(type == null ? "" : type, size, sha256 == null ? "" : sha256);
  }

  /** Parts of an output that is on its way. */
  record Parts(String key, String uploadId, long size, long partBytes, List<Integer> numbers) {}

  static Parts parts(Body body) {
    String key = text(body, "key", 256);
    if (key == null || key.isEmpty()) {
      body.wrong("key", "must be the key of an upload");
    }
    String uploadId = PartsReader.uploadIdOrNull(body);
    if (body.raw("upload_id") == null) {
      body.wrong("upload_id", "is required");
    }
    long size = body.number("size", 1, MOST_BYTES);
    long partBytes = body.number("part_bytes", PartPlan.LEAST_PART_BYTES, PartPlan.MOST_PART_BYTES);
    if (!PartPlan.isPossible(size, partBytes)) {
      body.wrong("part_bytes", "must be the part_bytes that were given for this place");
    }
    return new Parts(
        key == null ? "" : key,
        uploadId == null ? "" : uploadId,
        size,
        partBytes,
        PartsReader.numbers(body));
  }

  static List<DeliveredOutput> outputs(Body body) {
    JsonNode value = body.raw("outputs");
    if (value == null || !value.isArray() || value.isEmpty() || value.size() > MOST_OUTPUTS) {
      body.wrong("outputs", "must be a list of 1 to " + MOST_OUTPUTS + " outputs");
      return List.of();
    }
    List<DeliveredOutput> outputs = new ArrayList<>();
    for (int i = 0; i < value.size(); i++) {
      outputs.add(
          output(
              body.element(
                  "outputs",
                  i,
                  "key",
                  "size",
                  "sha256",
                  "media_type",
                  "upload_id",
                  "parts",
                  "text")));
    }
    return outputs;
  }

  private static DeliveredOutput output(Body body) {
    if (body.raw("text") == null) {
      String key = text(body, "key", 256);
      if (key == null || key.isEmpty()) {
        body.wrong("key", "must be the key of an upload, unless there is a text");
      }
      return new DeliveredOutput.Uploaded(key == null ? "" : key, announced(body), cameIn(body));
    }
    for (String other : List.of("key", "size", "sha256", "upload_id", "parts")) {
      if (body.raw(other) != null) {
        body.wrong(other, "must be left out where there is a text");
      }
    }
    String text = text(body, "text", MOST_TEXT_BYTES);
    if (text != null && text.getBytes(StandardCharsets.UTF_8).length > MOST_TEXT_BYTES) {
      body.wrong("text", "must have at most " + MOST_TEXT_BYTES + " bytes; upload what is larger");
    }
    if (text != null && text.isEmpty()) {
      body.wrong("text", "must not be empty");
    }
    String type = Optional.ofNullable(text(body, "media_type", 100)).orElse("text/plain");
    if (!List.of("text/plain", "application/json").contains(type)) {
      body.wrong("media_type", "must be text/plain or application/json where there is a text");
    }
    return new DeliveredOutput.Text(text == null ? "" : text, type);
  }

  private static UploadedOutputs.@Nullable Parts cameIn(Body body) {
    String uploadId = PartsReader.uploadIdOrNull(body);
    List<String> tags = PartsReader.tags(body);
    if ((body.raw("upload_id") == null) != (body.raw("parts") == null)) {
      body.wrong("parts", "must come together with upload_id");
    }
    return uploadId == null ? null : new UploadedOutputs.Parts(uploadId, tags);
  }

  /** A text of at most so many characters; null if it is left out. */
  static @Nullable String text(Body body, String name, int longest) {
    JsonNode value = body.raw(name);
    if (value == null) {
      return null;
    }
    if (!value.isString()
        || value.stringValue().codePointCount(0, value.stringValue().length()) > longest) {
      body.wrong(name, "must be a text of at most " + longest + " characters");
      return null;
    }
    return value.stringValue();
  }

  /**
   * What people read; nothing of what is too long is worth losing a report for. It is cleaned
   * before it is cut, because half a key looks like a word.
   */
  static @Nullable String words(Body body, String name, int longest) {
    JsonNode value = body.raw(name);
    if (value == null) {
      return null;
    }
    String text = value.isValueNode() ? value.asString() : value.toString();
    return text.codePointCount(0, text.length()) <= longest ? text : OwnerText.lines(text, longest);
  }

  public static String reason(Body body) {
    String reason = words(body, "reason", LONGEST_MESSAGE);
    if (body.raw("reason") == null) {
      body.wrong("reason", "is required");
    }
    return reason == null || reason.isBlank() ? "no reason given" : reason;
  }

  private static int count(Body body, String name, int otherwise, int least, int most) {
    return body.raw(name) == null ? otherwise : Math.toIntExact(body.number(name, least, most));
  }
}
