package dev.millrace.providers.fal;

import dev.millrace.contract.digest.Sha256;
import dev.millrace.providers.wire.Call;
import dev.millrace.providers.wire.Remembered;
import dev.millrace.providers.wire.Replies;
import dev.millrace.providers.wire.Reply;
import dev.millrace.providers.wire.Wire;
import dev.millrace.providers.wire.WireJson;
import dev.millrace.providers.wire.WireTrouble;
import dev.millrace.spi.provider.AsyncProvider;
import dev.millrace.spi.provider.Cancellation;
import dev.millrace.spi.provider.Finding;
import dev.millrace.spi.provider.Order;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Standing;
import dev.millrace.spi.provider.Submission;
import dev.millrace.spi.provider.Usage;
import dev.millrace.spi.provider.Verification;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.PublicKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Runs models at fal, by its queue.
 *
 * <p>Settings of a workflow: {@code model}, such as {@code fal-ai/flux/dev}; {@code priority}
 * (normal or low).
 */
public final class FalProvider implements AsyncProvider {

  private static final String NAME = "fal";
  private static final Duration CONNECTING = Duration.ofSeconds(10);
  private static final Duration KEEP_KEYS = Duration.ofHours(12);
  private static final Duration PAUSE_KEYS = Duration.ofMinutes(1);
  private static final Duration SOON = Duration.ofSeconds(2);
  private static final Duration BESIDE_WEBHOOK = Duration.ofSeconds(30);
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,128}");

  private final FalAccount account;
  private final Wire wire;
  private final InstantSource clock;
  private final FalKeys keys;
  private final FalResults results = new FalResults();

  public FalProvider(FalAccount account) {
    this(account, Wire.http(CONNECTING), InstantSource.system());
  }

  public FalProvider(FalAccount account, Wire wire, InstantSource clock) {
    this.account = account;
    this.wire = wire;
    this.clock = clock;
    keys = new FalKeys(new Remembered<>(this::askForKeys, clock, KEEP_KEYS, PAUSE_KEYS));
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<String> mistakes(Map<String, Object> settings) {
    return FalModel.mistakes(settings);
  }

  @Override
  public Submission submit(Order order) throws InterruptedException {
    if (!mistakes(order.settings()).isEmpty()) {
      return new Submission.Declined(
          new Outcome.Failed("The workflow's settings for this service are wrong."));
    }
    Reply reply;
    try {
      reply = wire.send(create(order));
    } catch (WireTrouble e) {
      return new Submission.Declined(Replies.declined(e));
    }
    Optional<ObjectNode> body = WireJson.object(reply.body());
    if (!reply.good()) {
      return new Submission.Declined(
          Replies.declined(reply, clock.instant(), body.flatMap(FalResults::words)));
    }
    return body.flatMap(taken -> WireJson.text(taken, "request_id"))
        .filter(id -> ID.matcher(id).matches())
        .<Submission>map(id -> new Submission.Accepted(id, askAfter(order)))
        .orElseGet(() ->
            new Submission.Declined(new Outcome.Uncertain("The service's answer can't be read.")));
  }

  private Call create(Order order) {
    String webhook =
        order
            .callback()
            .map(callback ->
                "?fal_webhook=" + URLEncoder.encode(callback.toString(), StandardCharsets.UTF_8))
            .orElse("");
    URI uri = URI.create(account.queue() + "/" + FalModel.of(order.settings()).path() + webhook);
    Call call =
        authorized(Call.of("POST", uri, account.patience()))
            .withJson(WireJson.write(order.input()));
    if ("low".equals(order.settings().get("priority"))) {
      call = call.with("X-Fal-Queue-Priority", "low");
    }
    if (order.runFor().isPresent()) {
      long seconds = Math.max(1, order.runFor().get().toSeconds());
      call = call.with("X-Fal-Request-Timeout", String.valueOf(seconds));
    }
    return call;
  }

  /** There is no list of requests: only a webhook can tell of one whose id was lost. */
  @Override
  public boolean canBeAsked() {
    return false;
  }

  @Override
  public Finding find(Order order) {
    return Finding.Unknown.forEver("The queue can't be searched; its webhook may still come.");
  }

  @Override
  public Standing collect(Order order, String reference) throws InterruptedException {
    if (!ID.matcher(reference).matches() || !mistakes(order.settings()).isEmpty()) {
      return ended(new Outcome.Failed("The reference or the settings are not this service's."));
    }
    Reply reply;
    try {
      reply = wire.send(authorized(Call.get(uri(order, reference, "/status?logs=1"), patience())));
    } catch (WireTrouble e) {
      return trouble(e);
    }
    Instant now = clock.instant();
    if (reply.status() == 404 && !now.isBefore(order.lastSubmitAt().plus(settlingTime()))) {
      return Replies.missing();
    }
    if (!reply.good()) {
      return Replies.noAnswer(reply, now);
    }
    ObjectNode status =
        WireJson.object(reply.body()).orElseGet(JsonNodeFactory.instance::objectNode);
    return switch (WireJson.text(status, "status").orElse("")) {
      case "IN_QUEUE" ->
          new Standing.Going(
              OptionalInt.empty(), "queued", "Waiting in the service's queue", askAfter(order));
      case "IN_PROGRESS" ->
          new Standing.Going(
              results.percent(status), "processing", "The model is running", askAfter(order));
      case "COMPLETED" -> result(order, reference, status);
      default -> Replies.noAnswer("The service says a status that is not known here.");
    };
  }

  private Standing result(Order order, String reference, ObjectNode status)
      throws InterruptedException {
    Usage usage = Usage.of(WireJson.numbers(status.path("metrics")), "inference_time");
    Optional<String> type = WireJson.text(status, "error_type");
    Optional<String> error = WireJson.text(status, "error");
    Reply reply;
    try {
      reply = wire.send(authorized(Call.get(uri(order, reference, ""), patience())));
    } catch (WireTrouble e) {
      return trouble(e);
    }
    Optional<ObjectNode> body = WireJson.object(reply.body());
    boolean unanswered = reply.status() >= 502 || reply.status() == 429 || reply.status() == 401;
    // Where the status has told the end already, the result's own troubles don't matter.
    if (type.isEmpty() && (unanswered || (reply.good() && body.isEmpty()))) {
      return Replies.noAnswer(reply, clock.instant());
    }
    ObjectNode read = body.orElseGet(JsonNodeFactory.instance::objectNode);
    if (reply.good() && type.isEmpty() && error.isEmpty()) {
      return new Standing.Ended(results.succeeded(read), usage);
    }
    // The model's own status comes through, so a 500 here is the model's end and not a hiccup.
    Optional<String> named =
        type.or(() -> reply.status() >= 500 ? Optional.of("internal_error") : Optional.empty());
    return new Standing.Ended(results.failed(read, named, error), usage);
  }

  private static Standing trouble(WireTrouble trouble) {
    return trouble.kind() == WireTrouble.Kind.TOO_LARGE
        ? ended(new Outcome.Failed("The service's answer is too large."))
        : Replies.noAnswer("The service did not answer.");
  }

  private static Standing ended(Outcome outcome) {
    return new Standing.Ended(outcome, Usage.none());
  }

  private Duration askAfter(Order order) {
    Duration tenth = Duration.between(order.intendedAt(), clock.instant()).dividedBy(10);
    Duration least = order.callback().isPresent() ? BESIDE_WEBHOOK : SOON;
    return tenth.compareTo(least) < 0 ? least : tenth;
  }

  @Override
  public Cancellation cancel(Order order, String reference) throws InterruptedException {
    if (!ID.matcher(reference).matches() || !mistakes(order.settings()).isEmpty()) {
      return Cancellation.UNKNOWN;
    }
    Reply reply;
    try {
      reply = wire.send(authorized(Call.of("PUT", uri(order, reference, "/cancel"), patience())));
    } catch (WireTrouble e) {
      return Cancellation.NO_ANSWER;
    }
    String said = WireJson.object(reply.body()).flatMap(b -> WireJson.text(b, "status")).orElse("");
    return switch (said) {
      case "ALREADY_COMPLETED" -> Cancellation.TOO_LATE;
      case "NOT_FOUND" -> Cancellation.UNKNOWN;
      case "OK" -> Cancellation.STOPPED;
      default -> {
        if (reply.status() == 404) {
          yield Cancellation.UNKNOWN;
        }
        yield reply.good() ? Cancellation.ASKED : Cancellation.NO_ANSWER;
      }
    };
  }

  @Override
  public Verification verify(Map<String, List<String>> headers, byte[] body)
      throws InterruptedException {
    Optional<Verification.Refused> refused = keys.check(headers, body, clock.instant());
    if (refused.isPresent()) {
      return refused.get();
    }
    Optional<ObjectNode> read = WireJson.object(new String(body, StandardCharsets.UTF_8));
    Optional<String> reference =
        read.flatMap(node -> WireJson.text(node, "request_id"))
            .filter(id -> ID.matcher(id).matches());
    if (read.isEmpty() || reference.isEmpty()) {
      return new Verification.Refused(
          Verification.Reason.UNREADABLE, "the body does not name its request");
    }
    // The same message has the same bytes, and fal gives its messages no name of their own.
    String event = reference.get() + "." + Sha256.hex(body).substring(0, 32);
    return new Verification.Genuine(event, reference.get(), Optional.empty(), heard(read.get()));
  }

  private Standing heard(ObjectNode message) {
    boolean whole = message.path("payload").isObject();
    return switch (WireJson.text(message, "status").orElse("")) {
      case "OK" ->
          whole
              ? ended(results.succeeded(message.path("payload")))
              : new Standing.NoAnswer("The result has to be collected.", Duration.ofSeconds(1));
      case "ERROR" ->
          ended(
              results.failed(
                  message.path("payload"),
                  WireJson.text(message, "error_type"),
                  WireJson.text(message, "error")));
      default -> new Standing.NoAnswer("The message says nothing.", SOON);
    };
  }

  private Optional<List<PublicKey>> askForKeys() throws InterruptedException {
    try {
      // Anybody may read the keys, so ours is not shown.
      Reply reply = wire.send(Call.get(account.jwks(), patience()));
      return reply.good() ? FalKeys.read(reply.body()) : Optional.empty();
    } catch (WireTrouble e) {
      return Optional.empty();
    }
  }

  private URI uri(Order order, String reference, String rest) {
    String app = FalModel.of(order.settings()).app();
    return URI.create(account.queue() + "/" + app + "/requests/" + reference + rest);
  }

  private Duration patience() {
    return account.patience();
  }

  private Call authorized(Call call) {
    return call.with("Authorization", "Key " + account.key()).with("Accept", "application/json");
  }
}
