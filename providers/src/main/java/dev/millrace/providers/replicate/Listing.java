package dev.millrace.providers.replicate;

import dev.millrace.providers.wire.WireJson;
import dev.millrace.spi.provider.Finding;
import dev.millrace.spi.provider.Order;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Looks through the account's predictions, newest first, for the one of an order whose answer was
 * lost.
 *
 * <p>It is recognised by its webhook's address. One that tells no address might be ours unless its
 * input is plainly another one; while there is such a one, nobody can say that ours isn't there.
 */
final class Listing {

  /** Their clock and ours may differ by so much. */
  private static final Duration SKEW = Duration.ofMinutes(2);

  private static final Duration ASK_AGAIN = Duration.ofMinutes(1);

  private static final int MOST_PAGES = 20;

  /** Gets a page of the list; empty if that did not work out. */
  @FunctionalInterface
  interface Pages {
    Optional<ObjectNode> get(@Nullable URI next) throws InterruptedException;
  }

  private final URI api;
  private final Duration settlingTime;
  private final Pages pages;

  /**
   * @param settlingTime how long after it was made a prediction may still appear
   */
  Listing(URI api, Duration settlingTime, Pages pages) {
    this.api = api;
    this.settlingTime = settlingTime;
    this.pages = pages;
  }

  Finding find(Order order, Instant now) throws InterruptedException {
    boolean doubtful = false;
    URI next = null;
    for (int i = 0; i < MOST_PAGES; i++) {
      Optional<ObjectNode> page = pages.get(next);
      if (page.isEmpty() || !page.get().path("results").isArray()) {
        return unknown("The service's list could not be read.", ASK_AGAIN);
      }
      for (JsonNode result : page.get().path("results").values()) {
        Optional<Prediction> read = Prediction.read(result);
        if (read.isEmpty()) {
          doubtful = true;
          continue;
        }
        Prediction prediction = read.get();
        if (isOurs(prediction, order)) {
          return new Finding.Found(prediction.id());
        }
        if (isOlder(prediction, order)) {
          return absent(order, now, doubtful);
        }
        doubtful |= mightBeOurs(prediction, order);
      }
      Optional<URI> following = next(page.get());
      if (following.isEmpty()) {
        boolean over = page.get().path("next").isNull() || page.get().path("next").isMissingNode();
        return absent(order, now, doubtful || !over);
      }
      next = following.get();
    }
    return unknown("The service's list is too long to be read.", ASK_AGAIN);
  }

  private static boolean isOurs(Prediction prediction, Order order) {
    return prediction.webhook().flatMap(Order::intentIn).equals(Optional.of(order.intent()));
  }

  private static boolean isOlder(Prediction prediction, Order order) {
    return prediction
        .createdAt()
        .filter(time -> time.isBefore(order.intendedAt().minus(SKEW)))
        .isPresent();
  }

  private static boolean mightBeOurs(Prediction prediction, Order order) {
    if (prediction.webhook().isPresent() && order.callback().isPresent()) {
      return false;
    }
    if (prediction.dataRemoved() || !prediction.input().isObject()) {
      return true;
    }
    for (Map.Entry<String, Object> ours : order.input().entrySet()) {
      JsonNode theirs = prediction.input().path(ours.getKey());
      JsonNode value = WireJson.tree(ours.getValue());
      // Files are sent as one address and told as another, so an address tells nothing.
      if (isPlain(value) && !theirs.equals(value)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isPlain(JsonNode value) {
    return value.isBoolean()
        || value.isIntegralNumber()
        || (value.isString()
            && !value.stringValue().startsWith("http")
            && !value.stringValue().startsWith("data:"));
  }

  private Finding absent(Order order, Instant now, boolean doubtful) {
    if (doubtful) {
      return unknown("Work in the service's list might be ours.", Duration.ofMinutes(5));
    }
    return Finding.notListed(order, settlingTime, now);
  }

  /** The next page, if it lies where pages lie: the token goes nowhere else. */
  private Optional<URI> next(ObjectNode page) {
    return WireJson.text(page, "next")
        .filter(text -> text.startsWith(api + "/predictions"))
        .flatMap(text -> {
          try {
            return Optional.of(URI.create(text));
          } catch (IllegalArgumentException e) {
            return Optional.empty();
          }
        });
  }

  private static Finding unknown(String message, Duration askAfter) {
    return new Finding.Unknown(message, askAfter);
  }
}
