package dev.millrace.providers.example;

import dev.millrace.contract.text.OwnerText;
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
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Makes clips at a service that queues them. */
final class ClipsProvider implements AsyncProvider {

  private static final Duration POLL = Duration.ofSeconds(5);

  private final URI api;
  private final String key;
  private final List<String> webhookSecrets;
  private final Duration patience;
  private final Wire wire;
  private final InstantSource clock;
  private final OutputReader outputs = new OutputReader(_ -> Map.of(), _ -> true);

  ClipsProvider(
      URI api,
      String key,
      List<String> webhookSecrets,
      Duration patience,
      Wire wire,
      InstantSource clock) {
    this.api = api;
    this.key = key;
    this.webhookSecrets = webhookSecrets;
    this.patience = patience;
    this.wire = wire;
    this.clock = clock;
  }

  @Override
  public String name() {
    return "clips";
  }

  @Override
  public Submission submit(Order order) throws InterruptedException {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.set("prompt", WireJson.tree(order.input().getOrDefault("prompt", "")));
    body.put("tag", order.intent());
    order.callback().ifPresent(callback -> body.put("notify", callback.toString()));
    Reply reply;
    try {
      reply = wire.send(call("POST", "/clips").withJson(WireJson.write(body)));
    } catch (WireTrouble e) {
      return new Submission.Declined(Replies.declined(e));
    }
    Optional<ObjectNode> read = WireJson.object(reply.body());
    if (!reply.good()) {
      Optional<String> detail = read.flatMap(problem -> WireJson.text(problem, "detail"));
      return new Submission.Declined(Replies.declined(reply, clock.instant(), detail));
    }
    return read.flatMap(clip -> WireJson.text(clip.path("clip"), "id"))
        .<Submission>map(id -> new Submission.Accepted(id, POLL))
        .orElse(new Submission.Declined(new Outcome.Uncertain("The answer can't be read.")));
  }

  @Override
  public Finding find(Order order) throws InterruptedException {
    Optional<ObjectNode> list =
        ask("GET", "/clips?tag=" + order.intent())
            .filter(Reply::good)
            .flatMap(reply -> WireJson.object(reply.body()))
            .filter(page -> page.path("clips").isArray());
    if (list.isEmpty()) {
      return new Finding.Unknown("The list can't be read.", POLL);
    }
    Optional<String> id = WireJson.text(list.get().at("/clips/0/clip/id"));
    if (id.isPresent()) {
      return new Finding.Found(id.get());
    }
    return Finding.notListed(order, settlingTime(), clock.instant());
  }

  @Override
  public Standing collect(Order order, String reference) throws InterruptedException {
    if (!isOurs(reference)) {
      return new Standing.Ended(new Outcome.Failed("Not a clip's reference."), Usage.none());
    }
    Reply reply;
    try {
      reply = wire.send(call("GET", "/clips/" + reference));
    } catch (WireTrouble e) {
      return e.kind() == WireTrouble.Kind.TOO_LARGE
          ? new Standing.Ended(new Outcome.Failed("The answer is too large."), Usage.none())
          : Replies.noAnswer("The service did not answer.");
    }
    boolean settled = !clock.instant().isBefore(order.lastSubmitAt().plus(settlingTime()));
    if (reply.status() == 404 && settled) {
      return Replies.missing();
    }
    if (!reply.good()) {
      return Replies.noAnswer(reply, clock.instant());
    }
    return WireJson.object(reply.body())
        .map(body -> standing(body.path("clip")))
        .orElseGet(() -> Replies.noAnswer("The answer can't be read."));
  }

  private Standing standing(JsonNode clip) {
    Usage usage = Usage.of(WireJson.numbers(clip), "gpu_seconds");
    return switch (WireJson.text(clip, "state").orElse("")) {
      case "queued", "rendering" ->
          new Standing.Going(
              OptionalInt.of(clip.path("percent").asInt(0)), "rendering", "At work", POLL);
      case "ready" -> new Standing.Ended(succeeded(clip.path("files")), usage);
      case "broken" -> new Standing.Ended(failed(clip.path("problem")), usage);
      case "stopped" -> new Standing.Ended(new Outcome.Canceled(), usage);
      default -> Replies.noAnswer("The service says a status that is not known here.");
    };
  }

  private Outcome succeeded(JsonNode files) {
    try {
      return new Outcome.Succeeded(outputs.read(files), Map.of());
    } catch (OutputReader.Unreadable e) {
      return new Outcome.Failed(String.valueOf(e.getMessage()));
    }
  }

  private static Outcome failed(JsonNode problem) {
    String text =
        OwnerText.line(WireJson.text(problem, "text").orElse("It failed without saying why."));
    return text.startsWith("Blocked by policy")
        ? new Outcome.Rejected("safety")
        : new Outcome.Failed(text);
  }

  @Override
  public Cancellation cancel(Order order, String reference) throws InterruptedException {
    if (!isOurs(reference)) {
      return Cancellation.UNKNOWN;
    }
    return switch (ask("DELETE", "/clips/" + reference).map(Reply::status).orElse(0)) {
      case 200, 202, 204 -> Cancellation.ASKED;
      case 404 -> Cancellation.UNKNOWN;
      case 409 -> Cancellation.TOO_LATE;
      default -> Cancellation.NO_ANSWER;
    };
  }

  @Override
  public Verification verify(Map<String, List<String>> headers, byte[] body) {
    Optional<Verification.Refused> refused =
        StandardWebhook.check(webhookSecrets, headers, body, clock.instant());
    if (refused.isPresent()) {
      return refused.get();
    }
    JsonNode clip =
        WireJson.object(new String(body, StandardCharsets.UTF_8))
            .map(message -> message.path("clip"))
            .orElse(JsonNodeFactory.instance.objectNode());
    Optional<String> id = WireJson.text(clip, "id");
    if (id.isEmpty()) {
      return new Verification.Refused(
          Verification.Reason.UNREADABLE, "the body does not name its clip");
    }
    return new Verification.Genuine(
        StandardWebhook.id(headers), id.get(), WireJson.text(clip, "tag"), standing(clip));
  }

  private static boolean isOurs(String reference) {
    return reference.matches("[a-z0-9-]{1,64}");
  }

  private Optional<Reply> ask(String method, String path) throws InterruptedException {
    try {
      return Optional.of(wire.send(call(method, path)));
    } catch (WireTrouble e) {
      return Optional.empty();
    }
  }

  private Call call(String method, String path) {
    return Call.of(method, URI.create(api + path), patience).with("X-Api-Key", key);
  }
}
