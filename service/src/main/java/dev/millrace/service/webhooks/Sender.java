package dev.millrace.service.webhooks;

import com.github.benmanes.caffeine.cache.Caffeine;
import dev.millrace.postgres.tenants.Audit;
import dev.millrace.postgres.webhooks.DueDeliveries;
import dev.millrace.postgres.webhooks.DueDeliveries.Claim;
import dev.millrace.postgres.webhooks.DueDeliveries.Endpoint;
import dev.millrace.service.duties.Duty;
import dev.millrace.service.webhooks.WebhookMetrics.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends what is due, each delivery on a thread of its own. An endpoint has a few places and no
 * more, and one that keeps failing has a single one, so that whoever answers slowly delays nobody
 * but himself.
 */
final class Sender implements Duty, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Sender.class);

  static final int PLACES = 8;
  private static final int MOST_FAILING = 10_000;
  private static final int PLACES_OF_ALL = 1_000;
  private static final int FAILURES = 3;
  private static final Duration PAUSE = Duration.ofMillis(500);

  /** What takes longer is claimed again by whoever runs then. */
  private static final Duration END_PATIENCE = Duration.ofSeconds(5);

  private static final String SYSTEM = "system";

  private final DueDeliveries deliveries;
  private final WebhookPost post;
  private final RetryPause rest;
  private final Timing timing;
  private final WakeUp due;
  private final WebhookMetrics metrics;
  private final BooleanSupplier stopping;
  private final Map<Endpoint, Integer> busy = new ConcurrentHashMap<>();

  /** An endpoint that was removed while it failed is never heard of again. */
  private final ConcurrentMap<Endpoint, Integer> failures =
      Caffeine.newBuilder().maximumSize(MOST_FAILING).<Endpoint, Integer>build().asMap();

  private final AtomicInteger sending = new AtomicInteger();
  private final Phaser underWay = new Phaser(1);
  private long heard;

  /**
   * How long things may take.
   *
   * @param lease how long a delivery is one node's, longer than any answer can take
   * @param unwell after how long without a success an endpoint is disabled
   */
  record Timing(Duration lease, Duration unwell) {}

  Sender(
      DueDeliveries deliveries,
      WebhookPost post,
      RetryPause rest,
      Timing timing,
      WakeUp due,
      WebhookMetrics metrics,
      BooleanSupplier stopping) {
    this.deliveries = deliveries;
    this.post = post;
    this.rest = rest;
    this.timing = timing;
    this.due = due;
    this.metrics = metrics;
    this.stopping = stopping;
  }

  @Override
  public String name() {
    return "webhook-sender";
  }

  @Override
  public void run() throws InterruptedException {
    heard = due.await(heard, PAUSE);
    if (stopping.getAsBoolean()) {
      return;
    }
    List<Claim> claims;
    do {
      Map<Endpoint, Integer> rooms = rooms();
      claims = rooms.isEmpty() ? List.of() : deliveries.claim(rooms, timing.lease());
      claims.forEach(this::start);
    } while (!claims.isEmpty() && !stopping.getAsBoolean());
  }

  /** Free places of those for whom something is due. */
  private Map<Endpoint, Integer> rooms() {
    List<Endpoint> waiting = new ArrayList<>(deliveries.due());
    Collections.shuffle(waiting);
    int left = PLACES_OF_ALL - sending.get();
    Map<Endpoint, Integer> rooms = new HashMap<>();
    for (Endpoint endpoint : waiting) {
      int most = failures.getOrDefault(endpoint, 0) >= FAILURES ? 1 : PLACES;
      int room = Math.min(left, most - busy.getOrDefault(endpoint, 0));
      if (room > 0) {
        rooms.put(endpoint, room);
        left -= room;
      }
    }
    return rooms;
  }

  private void start(Claim claim) {
    busy.merge(claim.endpoint(), 1, Integer::sum);
    sending.incrementAndGet();
    underWay.register();
    Thread.ofVirtual().name("webhook-" + claim.n()).start(() -> deliver(claim));
  }

  private void deliver(Claim claim) {
    try {
      record(claim, post.send(claim));
    } catch (RuntimeException | Error e) {
      // The claim runs out by itself, and the delivery is sent again.
      LOG.error(
          "Webhook {} could not be seen through and will be sent again",
          claim.content().message(),
          e);
    } finally {
      busy.computeIfPresent(claim.endpoint(), (_, n) -> n == 1 ? null : n - 1);
      sending.decrementAndGet();
      underWay.arriveAndDeregister();
      due.ring();
    }
  }

  private void record(Claim claim, WebhookPost.Reply reply) {
    boolean test = claim.content().type().equals(EventTypes.TEST);
    if (reply.stopped()) {
      deliveries.release(claim);
    } else if (reply.taken()) {
      failures.remove(claim.endpoint());
      deliveries.delivered(claim, reply.answer(), !test);
      metrics.sent(Outcome.DELIVERED, reply.took());
    } else if (test || isOver(claim, reply)) {
      deliveries.failed(claim, reply.answer());
      metrics.sent(Outcome.GIVEN_UP, reply.took());
    } else {
      failures.merge(claim.endpoint(), 1, Integer::sum);
      failed(claim, reply);
    }
  }

  /** A place that a job named is nobody's endpoint, so that nothing but this comes of it. */
  private static boolean isOver(Claim claim, WebhookPost.Reply reply) {
    return claim.target().namedBy() != null
        && (reply.gone() || reply.pointless() || !claim.at().isBefore(claim.giveUpAt()));
  }

  private void failed(Claim claim, WebhookPost.Reply reply) {
    if (reply.gone()) {
      deliveries.gone(claim, reply.answer(), line(claim, "gone"));
      metrics.sent(Outcome.GONE, reply.took());
      LOG.warn("Webhook endpoint {} answered 410 and is disabled", claim.target().webhookId());
    } else if (!claim.at().isBefore(claim.giveUpAt())) {
      deliveries.gaveUp(claim, reply.answer(), timing.unwell(), line(claim, "failing"));
      metrics.sent(Outcome.GIVEN_UP, reply.took());
      LOG.warn(
          "Webhook {} is given up after {} attempts", claim.content().message(), claim.number());
    } else {
      deliveries.again(claim, reply.answer(), rest.after(claim.number(), reply.rest()));
      metrics.sent(Outcome.AGAIN, reply.took());
    }
  }

  private static Audit.Line line(Claim claim, String reason) {
    return new Audit.Line(
        claim.target().tenantId(),
        SYSTEM,
        "webhook.disable",
        claim.target().webhookId().toString(),
        "{\"reason\":\"%s\"}".formatted(reason));
  }

  /** Waits a while for what is under way; whoever made this has told it to stop. */
  @Override
  public void close() {
    try {
      underWay.awaitAdvanceInterruptibly(
          underWay.arrive(), END_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException _) {
      LOG.warn("Some webhooks were still being sent; they are sent again");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
