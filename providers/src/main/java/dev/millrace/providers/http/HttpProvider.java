package dev.millrace.providers.http;

import dev.millrace.contract.digest.Sha256;
import dev.millrace.providers.wire.Call;
import dev.millrace.providers.wire.OutputReader;
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
import tools.jackson.databind.JsonNode;

/** A provider for the service that a description describes. */
public final class HttpProvider implements AsyncProvider {

  private static final Duration CONNECTING = Duration.ofSeconds(10);

  private static final Duration ASK_AGAIN = Duration.ofMinutes(1);
  private static final Duration BESIDE_WEBHOOK = Duration.ofSeconds(30);
  private static final int LONGEST_REFERENCE = 512;

  private final Description description;
  private final Map<String, List<String>> secrets;
  private final Wire wire;
  private final InstantSource clock;
  private final Results results;

  private HttpProvider(
      Description description, Map<String, List<String>> secrets, Wire wire, InstantSource clock) {
    this.description = description;
    this.secrets = Map.copyOf(secrets);
    this.wire = wire;
    this.clock = clock;
    results = new Results(description.collect(), new OutputReader(_ -> Map.of(), _ -> true));
  }

  /**
   * Reads a description.
   *
   * @param yaml the file's text
   * @param secrets by their name; of several values the first is sent, and any may sign
   * @throws BadDescription if there are mistakes in it
   */
  public static HttpProvider of(String yaml, Map<String, List<String>> secrets)
      throws BadDescription {
    return of(yaml, secrets, Wire.http(CONNECTING), InstantSource.system());
  }

  /** With another way to reach the service, and another clock. */
  public static HttpProvider of(
      String yaml, Map<String, List<String>> secrets, Wire wire, InstantSource clock)
      throws BadDescription {
    return new HttpProvider(DescriptionReader.read(yaml, secrets.keySet()), secrets, wire, clock);
  }

  @Override
  public String name() {
    return description.name();
  }

  private PlaceholderValues scope(Order order) {
    return PlaceholderValues.of(order, name -> secrets.getOrDefault(name, List.of()));
  }

  /** The call; empty if something that its address or a header needs is missing. */
  private Optional<Call> call(Description.Request request, PlaceholderValues scope) {
    Optional<String> path = request.path().address(scope);
    if (path.isEmpty()) {
      return Optional.empty();
    }
    URI uri = URI.create(description.api().address() + path.get());
    Call call =
        Call.of(request.method(), uri, description.api().patience())
            .with("Accept", "application/json");
    for (Map<String, Template> headers : List.of(description.api().headers(), request.headers())) {
      for (Map.Entry<String, Template> header : headers.entrySet()) {
        Optional<String> value = header.getValue().text(scope);
        if (value.isEmpty() || value.get().chars().anyMatch(c -> c < ' ' || c > '~')) {
          return Optional.empty();
        }
        call = call.with(header.getKey(), value.get());
      }
    }
    return Optional.of(call);
  }

  @Override
  public Submission submit(Order order) throws InterruptedException {
    PlaceholderValues scope = scope(order);
    Optional<Call> call = call(description.submit().request(), scope);
    if (call.isEmpty()) {
      return new Submission.Declined(
          new Outcome.Failed("Something that the service's address or headers need is missing."));
    }
    JsonNode body = description.submit().body();
    Call sent =
        body.isMissingNode()
            ? call.get()
            : call.get().withJson(WireJson.write(scope.fill(body).orElse(body)));
    Reply reply;
    try {
      reply = wire.send(sent);
    } catch (WireTrouble e) {
      return new Submission.Declined(Replies.declined(e));
    }
    Optional<JsonNode> read = WireJson.any(reply.body());
    if (!reply.good()) {
      Optional<String> words =
          description
              .submit()
              .error()
              .flatMap(error -> read.map(node -> node.at(error)).flatMap(WireJson::text));
      return new Submission.Declined(Replies.declined(reply, clock.instant(), words));
    }
    return read.flatMap(node -> reference(node.at(description.submit().reference())))
        .<Submission>map(reference -> new Submission.Accepted(reference, askAfter(order)))
        .orElseGet(() ->
            new Submission.Declined(new Outcome.Uncertain("The service's answer can't be read.")));
  }

  private static Optional<String> reference(JsonNode node) {
    return node.isString() || node.isIntegralNumber()
        ? Optional.of(node.asString())
            .filter(text -> !text.isBlank() && text.length() <= LONGEST_REFERENCE)
            .filter(text -> text.chars().allMatch(c -> c > ' ' && c < 0x7f))
        : Optional.empty();
  }

  @Override
  public boolean canBeAsked() {
    return description.find() != null;
  }

  @Override
  public Duration settlingTime() {
    return description.api().settlingTime();
  }

  @Override
  public Finding find(Order order) throws InterruptedException {
    Description.Find find = description.find();
    if (find == null) {
      return Finding.Unknown.forEver("The service can't be asked for it.");
    }
    Optional<JsonNode> items =
        ask(find.request(), scope(order))
            .filter(Reply::good)
            .flatMap(reply -> WireJson.any(reply.body()))
            .map(node -> node.at(find.items()))
            .filter(JsonNode::isArray);
    if (items.isEmpty()) {
      return new Finding.Unknown("The service's answer can't be read.", ASK_AGAIN);
    }
    for (JsonNode item : items.get().values()) {
      Optional<String> match = WireJson.text(item.at(find.match()));
      boolean ours =
          match.equals(Optional.of(order.intent()))
              || match.flatMap(Order::intentIn).equals(Optional.of(order.intent()));
      Optional<String> reference = reference(item.at(find.reference()));
      if (ours) {
        return reference
            .<Finding>map(Finding.Found::new)
            .orElseGet(() -> new Finding.Unknown("The service's answer can't be read.", ASK_AGAIN));
      }
    }
    return Finding.notListed(order, settlingTime(), clock.instant());
  }

  /** The reply to a question; empty if there is none. */
  private Optional<Reply> ask(Description.Request request, PlaceholderValues scope)
      throws InterruptedException {
    Optional<Call> call = call(request, scope);
    try {
      return call.isPresent() ? Optional.of(wire.send(call.get())) : Optional.empty();
    } catch (WireTrouble e) {
      return Optional.empty();
    }
  }

  @Override
  public Standing collect(Order order, String reference) throws InterruptedException {
    Optional<Call> call = call(description.collect().request(), scope(order).with(reference));
    if (call.isEmpty()) {
      return Replies.noAnswer("Something that the service's address needs is missing.");
    }
    Reply reply;
    try {
      reply = wire.send(call.get());
    } catch (WireTrouble e) {
      return e.kind() == WireTrouble.Kind.TOO_LARGE
          ? new Standing.Ended(
              new Outcome.Failed("The service's answer is too large."), Usage.none())
          : Replies.noAnswer("The service did not answer.");
    }
    Instant now = clock.instant();
    if (reply.status() == 404 && !now.isBefore(order.lastSubmitAt().plus(settlingTime()))) {
      return Replies.missing();
    }
    if (!reply.good()) {
      return Replies.noAnswer(reply, now);
    }
    return WireJson.any(reply.body())
        .map(node -> results.standing(node, askAfter(order)))
        .orElseGet(() -> Replies.noAnswer("The service's answer can't be read."));
  }

  /** A tenth of the time that has passed, and not sooner than the description says. */
  private Duration askAfter(Order order) {
    Duration tenth = Duration.between(order.intendedAt(), clock.instant()).dividedBy(10);
    boolean called = description.webhook() != null && order.callback().isPresent();
    Duration least = called ? BESIDE_WEBHOOK : description.collect().poll();
    return tenth.compareTo(least) < 0 ? least : tenth;
  }

  @Override
  public Cancellation cancel(Order order, String reference) throws InterruptedException {
    Description.Request cancel = description.cancel();
    if (cancel == null) {
      return Cancellation.IMPOSSIBLE;
    }
    Optional<Reply> reply = ask(cancel, scope(order).with(reference));
    if (reply.isEmpty()) {
      return Cancellation.NO_ANSWER;
    }
    return switch (reply.get().status()) {
      case 404, 410 -> Cancellation.UNKNOWN;
      case 400, 409, 422 -> Cancellation.TOO_LATE;
      default -> reply.get().good() ? Cancellation.ASKED : Cancellation.NO_ANSWER;
    };
  }

  @Override
  public Verification verify(Map<String, List<String>> headers, byte[] body) {
    Description.Webhook webhook = description.webhook();
    if (webhook == null) {
      return new Verification.Refused(
          Verification.Reason.NO_KEYS, "this service is not expected to call");
    }
    List<String> known = secrets.getOrDefault(webhook.signing().secret(), List.of());
    Optional<Verification.Refused> refused =
        webhook.signing().check(known, headers, body, clock.instant());
    if (refused.isPresent()) {
      return refused.get();
    }
    Optional<JsonNode> read = WireJson.any(new String(body, StandardCharsets.UTF_8));
    Optional<String> reference = read.flatMap(node -> reference(node.at(webhook.reference())));
    if (read.isEmpty() || reference.isEmpty()) {
      return new Verification.Refused(
          Verification.Reason.UNREADABLE, "the body does not name its work");
    }
    JsonNode node = read.get();
    String event =
        webhook
            .event()
            .flatMap(pointer -> reference(node.at(pointer)))
            .filter(text -> text.length() <= 255)
            .orElseGet(() ->
                webhook.signing() instanceof Signing.Standard
                    ? StandardWebhook.id(headers)
                    : Sha256.hex(body));
    Optional<String> intent =
        webhook
            .intent()
            .flatMap(pointer -> WireJson.text(node.at(pointer)))
            .flatMap(text -> Order.intentIn("/" + text));
    return new Verification.Genuine(
        event, reference.get(), intent, results.standing(node.at(webhook.root()), BESIDE_WEBHOOK));
  }
}
