package dev.millrace.providers.replicate;

import dev.millrace.providers.wire.Call;
import dev.millrace.providers.wire.OutputReader;
import dev.millrace.providers.wire.Remembered;
import dev.millrace.providers.wire.Replies;
import dev.millrace.providers.wire.Reply;
import dev.millrace.providers.wire.StandardWebhook;
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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Runs models at Replicate.
 *
 * <p>Settings of a workflow: one of {@code model} (owner/name, an official model; or
 * owner/name:version), {@code version}, {@code deployment} (owner/name); and {@code wait_seconds}
 * (0 to 60) to leave the create call open for quick models; and {@code webhook_events}.
 */
public final class ReplicateProvider implements AsyncProvider {

  private static final String NAME = "replicate";
  private static final Duration CONNECTING = Duration.ofSeconds(10);
  private static final Duration KEEP_SECRET = Duration.ofHours(12);
  private static final Duration PAUSE_SECRET = Duration.ofMinutes(1);
  private static final Duration SOON = Duration.ofSeconds(2);

  /** While a webhook is expected, asking is only for when it gets lost. */
  private static final Duration BESIDE_WEBHOOK = Duration.ofSeconds(30);

  /** Replicate refuses less. */
  private static final Duration LEAST_RUN = Duration.ofSeconds(5);

  private final ReplicateAccount account;
  private final Wire wire;
  private final InstantSource clock;
  private final OutputReader outputs;
  private final Remembered<String> secret;

  public ReplicateProvider(ReplicateAccount account) {
    this(account, Wire.http(CONNECTING), InstantSource.system());
  }

  public ReplicateProvider(ReplicateAccount account, Wire wire, InstantSource clock) {
    this.account = account;
    this.wire = wire;
    this.clock = clock;
    outputs = new OutputReader(this::headersFor, _ -> true);
    secret = new Remembered<>(this::askForSecret, clock, KEEP_SECRET, PAUSE_SECRET);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<String> mistakes(Map<String, Object> settings) {
    return Target.mistakes(settings);
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
    if (!reply.good()) {
      return new Submission.Declined(Replies.declined(reply, clock.instant(), detail(reply)));
    }
    Optional<Prediction> taken = WireJson.object(reply.body()).flatMap(Prediction::read);
    if (taken.isEmpty()) {
      // It was taken, under a name that nobody can read: to be found again like a lost answer.
      return new Submission.Declined(new Outcome.Uncertain("The service's answer can't be read."));
    }
    Prediction prediction = taken.get();
    return prediction.standing(outputs, SOON) instanceof Standing.Ended ended
        ? new Submission.Finished(prediction.id(), ended.outcome(), ended.usage())
        : new Submission.Accepted(prediction.id(), askAfter(order));
  }

  private Call create(Order order) {
    Target target = Target.of(order.settings());
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    target.version().ifPresent(version -> body.put("version", version));
    body.set("input", WireJson.tree(order.input()));
    order
        .callback()
        .ifPresent(callback -> {
          body.put("webhook", callback.toString());
          body.set("webhook_events_filter", WireJson.tree(PredictionEvents.of(order.settings())));
        });
    Duration patience = account.patience().plusSeconds(target.waitSeconds());
    Call call =
        authorized(Call.of("POST", uri(target.path()), patience)).withJson(WireJson.write(body));
    if (target.waitSeconds() > 0) {
      call = call.with("Prefer", "wait=" + target.waitSeconds());
    }
    if (order.runFor().isPresent()) {
      long seconds = Math.max(LEAST_RUN.toSeconds(), order.runFor().get().toSeconds());
      call = call.with("Cancel-After", seconds + "s");
    }
    return call;
  }

  /** The words of an error: {@code {"title": ..., "detail": ...}}. */
  private static Optional<String> detail(Reply reply) {
    return WireJson.object(reply.body())
        .flatMap(body -> WireJson.text(body, "detail").or(() -> WireJson.text(body, "title")));
  }

  @Override
  public Finding find(Order order) throws InterruptedException {
    return new Listing(account.api(), account.settlingTime(), this::page)
        .find(order, clock.instant());
  }

  @Override
  public Duration settlingTime() {
    return account.settlingTime();
  }

  private Optional<ObjectNode> page(@Nullable URI next) throws InterruptedException {
    try {
      URI first = uri("/predictions");
      Reply reply =
          wire.send(authorized(Call.get(next == null ? first : next, account.patience())));
      return reply.good() ? WireJson.object(reply.body()) : Optional.empty();
    } catch (WireTrouble e) {
      return Optional.empty();
    }
  }

  @Override
  public Standing collect(Order order, String reference) throws InterruptedException {
    if (!Prediction.isId(reference)) {
      return ended("The reference is not one of this service.");
    }
    Reply reply;
    try {
      reply = wire.send(authorized(Call.get(uri("/predictions/" + reference), account.patience())));
    } catch (WireTrouble e) {
      // An answer that is too large now will be too large tomorrow.
      return e.kind() == WireTrouble.Kind.TOO_LARGE
          ? ended("The service's answer is too large.")
          : Replies.noAnswer("The service did not answer.");
    }
    Instant now = clock.instant();
    if (reply.status() == 404 && !now.isBefore(order.lastSubmitAt().plus(settlingTime()))) {
      return Replies.missing();
    }
    if (!reply.good()) {
      return Replies.noAnswer(reply, now);
    }
    return WireJson.object(reply.body())
        .flatMap(Prediction::read)
        .filter(prediction -> prediction.id().equals(reference))
        .map(prediction -> prediction.standing(outputs, askAfter(order)))
        .orElseGet(() -> Replies.noAnswer("The service's answer can't be read."));
  }

  private static Standing ended(String message) {
    return new Standing.Ended(new Outcome.Failed(message), Usage.none());
  }

  /** A tenth of the time that has passed: often at first, seldom for what takes long. */
  private Duration askAfter(Order order) {
    Duration tenth = Duration.between(order.intendedAt(), clock.instant()).dividedBy(10);
    Duration least = order.callback().isPresent() ? BESIDE_WEBHOOK : SOON;
    return tenth.compareTo(least) < 0 ? least : tenth;
  }

  @Override
  public Cancellation cancel(Order order, String reference) throws InterruptedException {
    if (!Prediction.isId(reference)) {
      return Cancellation.UNKNOWN;
    }
    try {
      URI uri = uri("/predictions/" + reference + "/cancel");
      Reply reply = wire.send(authorized(Call.of("POST", uri, account.patience())));
      if (reply.status() == 404) {
        return Cancellation.UNKNOWN;
      }
      return reply.good()
          ? WireJson.object(reply.body())
              .flatMap(Prediction::read)
              .map(ReplicateProvider::canceled)
              .orElse(Cancellation.ASKED)
          : Cancellation.NO_ANSWER;
    } catch (WireTrouble e) {
      return Cancellation.NO_ANSWER;
    }
  }

  private static Cancellation canceled(Prediction prediction) {
    return switch (prediction.status()) {
      case "canceled", "aborted" -> Cancellation.STOPPED;
      case "succeeded", "failed" -> Cancellation.TOO_LATE;
      default -> Cancellation.ASKED;
    };
  }

  @Override
  public Verification verify(Map<String, List<String>> headers, byte[] body)
      throws InterruptedException {
    Optional<Verification.Refused> refused = check(headers, body);
    if (refused.isPresent()) {
      return refused.get();
    }
    Optional<Prediction> read =
        WireJson.object(new String(body, StandardCharsets.UTF_8)).flatMap(Prediction::read);
    if (read.isEmpty()) {
      return new Verification.Refused(
          Verification.Reason.UNREADABLE, "the body is not a prediction");
    }
    Prediction prediction = read.get();
    return new Verification.Genuine(
        StandardWebhook.id(headers),
        prediction.id(),
        prediction.webhook().flatMap(Order::intentIn),
        prediction.standing(outputs, BESIDE_WEBHOOK));
  }

  private Optional<Verification.Refused> check(Map<String, List<String>> headers, byte[] body)
      throws InterruptedException {
    Instant now = clock.instant();
    if (!account.webhookSecrets().isEmpty()) {
      return StandardWebhook.check(account.webhookSecrets(), headers, body, now);
    }
    Optional<String> known = secret.get();
    if (known.isEmpty()) {
      return Optional.of(
          new Verification.Refused(
              Verification.Reason.NO_KEYS, "the account's webhook secret can't be had"));
    }
    Optional<Verification.Refused> refused =
        StandardWebhook.check(List.of(known.get()), headers, body, now);
    boolean perhapsReplaced =
        refused.isPresent() && refused.get().reason() == Verification.Reason.WRONG_SIGNATURE;
    Optional<String> newer = perhapsReplaced ? secret.again() : Optional.empty();
    return newer.isPresent()
        ? StandardWebhook.check(List.of(newer.get()), headers, body, now)
        : refused;
  }

  private Optional<String> askForSecret() throws InterruptedException {
    try {
      Reply reply =
          wire.send(authorized(Call.get(uri("/webhooks/default/secret"), account.patience())));
      return reply.good()
          ? WireJson.object(reply.body())
              .flatMap(body -> WireJson.text(body, "key"))
              .filter(StandardWebhook::isSecret)
          : Optional.empty();
    } catch (WireTrouble e) {
      return Optional.empty();
    }
  }

  /** Their own hosts want the token for files, and no other host may see it. */
  private Map<String, String> headersFor(URI address) {
    String host = address.getHost();
    boolean theirs =
        "https".equals(address.getScheme())
            && (host.equals(account.api().getHost())
                || host.equals("replicate.delivery")
                || host.endsWith(".replicate.delivery"));
    return theirs ? Map.of("Authorization", "Bearer " + account.token()) : Map.of();
  }

  private URI uri(String path) {
    return URI.create(account.api() + path);
  }

  private Call authorized(Call call) {
    return call.with("Authorization", "Bearer " + account.token())
        .with("Accept", "application/json");
  }
}
