package dev.millrace.service.transfer;

import dev.millrace.providers.fetch.Content;
import dev.millrace.service.attempt.RunningAttempt;
import dev.millrace.service.webhooks.EndpointCalls;
import dev.millrace.service.webhooks.EndpointCalls.Choice;
import dev.millrace.service.webhooks.EndpointCalls.Message;
import dev.millrace.service.webhooks.EndpointCalls.Reply;
import dev.millrace.spi.provider.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Hands rows over to an endpoint of the product. Whatever isn't a clear answer is asked for again
 * with the same keys, a few times at once and then by the next attempts.
 */
final class EndpointDestination implements Destination {

  private static final int TRIES = 6;
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  /** What passes, as far as a status can say that. */
  private static final Set<Integer> PASSING = Set.of(408, 409, 421, 423, 425, 429);

  private final EndpointCalls calls;
  private final RunningAttempt attempt;
  private final Address address;
  private final ObjectNode about;
  private final Duration pause;

  /**
   * Which endpoint it is.
   *
   * @param type what it must ask for
   * @param named null if there can be only one
   */
  record Address(String type, @Nullable UUID named) {}

  /**
   * Makes the way there.
   *
   * @param about what every call says beside its rows
   * @param pause after the first try; each later one is twice as long
   */
  EndpointDestination(
      EndpointCalls calls,
      RunningAttempt attempt,
      Address address,
      ObjectNode about,
      Duration pause) {
    this.calls = calls;
    this.attempt = attempt;
    this.address = address;
    this.about = about;
    this.pause = pause;
  }

  @Override
  public Answer hand(List<Row> rows) throws InterruptedException {
    Message message = message(rows);
    for (int tries = 1; ; tries++) {
      // The endpoint may have been changed, rotated or disabled since the last chunk.
      Choice choice = calls.choose(attempt.job().id().tenant(), address.type(), address.named());
      if (choice instanceof Choice.None(String why)) {
        return failed(why);
      }
      Reply reply = calls.call(((Choice.Chosen) choice).endpoint(), message, attempt::canceled);
      Optional<Answer.Counted> known = known(reply, rows);
      if (known.isPresent()) {
        return known.get();
      }
      if (attempt.canceled()) {
        return new Answer.Ended(new Outcome.Canceled());
      }
      Trouble trouble = trouble(reply);
      if (!trouble.passing()) {
        return failed(trouble.why());
      }
      Duration wanted = trouble.pause(pause.multipliedBy(1L << (tries - 1)));
      if (tries == TRIES || wanted.compareTo(LONGEST_PAUSE) > 0) {
        return new Answer.Ended(new Outcome.Unavailable(trouble.why(), trouble.retryAfter()));
      }
      if (attempt.awaitStop(wanted)) {
        return new Answer.Ended(new Outcome.Canceled());
      }
    }
  }

  private static Optional<Answer.Counted> known(Reply reply, List<Row> rows) {
    return reply instanceof Reply.Answered(int status, Content body, _) && status / 100 == 2
        ? EndpointAnswer.read(body.bytes(), rows)
        : Optional.empty();
  }

  /**
   * Why it is not known what became of a chunk.
   *
   * @param passing whether it is worth another try
   */
  private record Trouble(String why, Optional<Duration> retryAfter, boolean passing) {

    /** As long as the other side asks for, and no shorter than this. */
    Duration pause(Duration least) {
      return retryAfter.filter(asked -> asked.compareTo(least) > 0).orElse(least);
    }
  }

  private static Trouble trouble(Reply reply) {
    return switch (reply) {
      case Reply.Stopped() -> new Trouble("Nobody waits any more.", Optional.empty(), true);
      case Reply.Refused(String why) -> new Trouble(why, Optional.empty(), false);
      case Reply.Unanswered(String why) -> new Trouble(why, Optional.empty(), true);
      case Reply.Answered(int status, _, var retryAfter) ->
          switch (status / 100) {
            case 2 -> new Trouble("The endpoint's answer makes no sense.", retryAfter, true);
            default ->
                new Trouble(
                    "The endpoint answered %d.".formatted(status),
                    retryAfter,
                    status >= 500 || PASSING.contains(status));
          };
    };
  }

  private static Answer failed(String why) {
    return new Answer.Ended(new Outcome.Failed(why));
  }

  private Message message(List<Row> rows) {
    ObjectNode json = JsonMapper.shared().createObjectNode();
    json.put("type", address.type());
    ObjectNode data = json.putObject("data");
    data.setAll(about);
    var list = data.putArray("rows");
    for (Row row : rows) {
      list.addObject().put("key", row.key()).put("line", row.line()).set("values", row.data());
    }
    Row first = rows.getFirst();
    return new Message(
        "%s.%d".formatted(about.path("transfer_id").asString(), first.number()),
        Content.of(JsonMapper.shared().writeValueAsBytes(json)));
  }
}
