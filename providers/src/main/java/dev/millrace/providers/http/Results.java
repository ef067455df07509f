package dev.millrace.providers.http;

import dev.millrace.contract.text.OwnerText;
import dev.millrace.providers.http.Description.Meaning;
import dev.millrace.providers.wire.OutputReader;
import dev.millrace.providers.wire.Replies;
import dev.millrace.providers.wire.WireJson;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Standing;
import dev.millrace.spi.provider.Usage;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;

/** Reads how work stands, from a reply or a webhook, by the description's pointers. */
final class Results {

  private static final String SECONDS = "seconds";

  private final Description.Collect collect;
  private final OutputReader outputs;

  Results(Description.Collect collect, OutputReader outputs) {
    this.collect = collect;
    this.outputs = outputs;
  }

  Standing standing(JsonNode node, Duration askAfter) {
    JsonNode status = node.at(collect.status());
    Meaning meaning =
        status.isValueNode() && !status.isNull() ? collect.meanings().get(status.asString()) : null;
    if (meaning == null) {
      return Replies.noAnswer("The service says a status that is not known here.");
    }
    return switch (meaning) {
      case GOING ->
          new Standing.Going(
              progress(node),
              OwnerText.line(status.asString()),
              "The service is at work",
              askAfter);
      case SUCCEEDED -> new Standing.Ended(succeeded(node), usage(node));
      case FAILED -> new Standing.Ended(failed(node), usage(node));
      case UNAVAILABLE ->
          new Standing.Ended(
              new Outcome.Unavailable(
                  error(node).orElse("The service broke down."), Optional.empty()),
              usage(node));
      case REJECTED -> new Standing.Ended(new Outcome.Rejected("safety"), usage(node));
      case CANCELED -> new Standing.Ended(new Outcome.Canceled(), usage(node));
    };
  }

  private Outcome succeeded(JsonNode node) {
    try {
      return new Outcome.Succeeded(outputs.read(node.at(collect.output())), Map.of());
    } catch (OutputReader.Unreadable e) {
      return new Outcome.Failed(String.valueOf(e.getMessage()));
    }
  }

  private Outcome failed(JsonNode node) {
    String error = error(node).orElse("The service failed without saying why.");
    String lower = error.toLowerCase(Locale.ROOT);
    return collect.trouble().rejectedWords().stream().anyMatch(lower::contains)
        ? new Outcome.Rejected("safety")
        : new Outcome.Failed(error);
  }

  private Optional<String> error(JsonNode node) {
    return collect
        .trouble()
        .error()
        .flatMap(pointer -> WireJson.text(node.at(pointer)))
        .map(OwnerText::line)
        .filter(words -> !words.isEmpty());
  }

  private OptionalInt progress(JsonNode node) {
    JsonNode progress = collect.progress().map(node::at).orElse(NullNode.getInstance());
    // A fraction of one is as usual as a percentage.
    if (progress.isFloatingPointNumber() && progress.doubleValue() <= 1) {
      return OptionalInt.of((int) Math.round(progress.doubleValue() * 100));
    }
    return progress.isNumber() && Double.isFinite(progress.doubleValue())
        ? OptionalInt.of((int) Math.clamp(Math.round(progress.doubleValue()), 0L, 100L))
        : OptionalInt.empty();
  }

  private Usage usage(JsonNode node) {
    return collect
        .seconds()
        .map(node::at)
        .filter(JsonNode::isNumber)
        .map(seconds -> Usage.of(Map.of(SECONDS, seconds.doubleValue()), SECONDS))
        .orElse(Usage.none());
  }
}
