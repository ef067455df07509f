package dev.millrace.service.webhooks;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.millrace.postgres.Database;
import dev.millrace.postgres.tenants.Audit;
import dev.millrace.postgres.webhooks.Deliveries;
import dev.millrace.postgres.webhooks.DeliveryView;
import dev.millrace.postgres.webhooks.WebhookView;
import dev.millrace.postgres.webhooks.Webhooks;
import dev.millrace.providers.fetch.AllowList;
import dev.millrace.providers.fetch.FetchClient;
import dev.millrace.providers.fetch.FetchPolicy;
import dev.millrace.providers.fetch.FetchResult;
import dev.millrace.service.access.JobLinks;
import dev.millrace.service.duties.Duties;
import dev.millrace.service.live.Hub;
import dev.millrace.service.observe.Metrics;
import dev.millrace.storage.url.SigningKeys;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Outgoing webhooks: what the routes call, and what runs by itself. */
public final class Outgoing implements AutoCloseable {

  private static final int MOST_ENDPOINTS = 100;

  /** It stands for all places that jobs name, and has none itself. */
  private static final Webhooks.Wish OF_JOBS =
      new Webhooks.Wish(
          "job:webhook", "The places that jobs name themselves", List.of(EventTypes.ALL));

  private static final Duration RESOLVE = Duration.ofSeconds(3);
  private static final Duration MARGIN = Duration.ofSeconds(15);
  private static final Duration AT_ONCE = Duration.ofMillis(1);
  private static final Duration UPKEEP_PAUSE = Duration.ofSeconds(30);

  private final Parts parts;
  private final WebhookTimes times;
  private final EndpointSecrets secrets;
  private final FetchClient client;
  private final WakeUp events = new WakeUp();
  private final WakeUp due = new WakeUp();
  private final Feed feed;
  private final JobMessages messages;
  private volatile boolean closing;
  private @Nullable Sender sender;
  private @Nullable Duties duties;

  /** What the server has. */
  public record Parts(
      WebhookTimes times,
      AllowList allowed,
      Database database,
      SigningKeys keys,
      Hub hub,
      Metrics metrics) {}

  /** An endpoint with a secret that is shown this once. */
  public record Shown(WebhookView webhook, String secret) {

    @Override
    public String toString() {
      return "Shown[" + webhook.id() + "]";
    }
  }

  /** Builds the parts; nothing runs yet. */
  public Outgoing(Parts parts) {
    this.parts = parts;
    this.times = parts.times();
    this.secrets = EndpointSecrets.of(parts.keys());
    this.client = new FetchClient(FetchPolicy.PUBLIC_WEB.allowing(parts.allowed()));
    this.feed = new Feed(parts.database().eventLog(), events);
    this.messages = new JobMessages(parts.database().jobs(), parts.database().files());
  }

  /** Begins to read and to send. */
  public void start() {
    Database database = parts.database();
    WebhookMetrics metrics = new WebhookMetrics(parts.metrics().registry());
    Sender sending =
        new Sender(
            database.dueDeliveries(),
            new WebhookPost(client, secrets, messages::body, times.timeout(), () -> closing),
            new RetryPause(() -> ThreadLocalRandom.current().nextDouble()),
            new Sender.Timing(times.timeout().plus(MARGIN), times.disableAfter()),
            due,
            metrics,
            () -> closing);
    sender = sending;
    parts.hub().also(_ -> events.ring());
    duties =
        new Duties()
            .every(
                AT_ONCE,
                new LogReader(
                    database.outbox(), database.eventLog(), events, due, metrics, times.retryFor()))
            .every(AT_ONCE, sending)
            .every(
                UPKEEP_PAUSE,
                new DeliveryCleanup(database.deliveries(), times.retention(), metrics));
  }

  public Webhooks endpoints() {
    return parts.database().webhooks();
  }

  /** Codes of results, from the same secret as what is signed here. */
  public JobLinks links() {
    return new JobLinks(parts.keys().derived("job links"));
  }

  /** How jobs are told of at places that they named themselves. */
  public JobMessages messages() {
    return messages;
  }

  /**
   * Makes sure that jobs of a tenant can name places of their own, and be told there of these
   * events.
   */
  public void openToJobs(int tenant, Collection<String> asked) {
    Optional<WebhookView> found = endpoints().findOfJobs(tenant);
    if (found.isEmpty()) {
      UUID id = UuidCreator.getTimeOrderedEpoch();
      endpoints().createOfJobs(tenant, id, OF_JOBS, EndpointSecrets.hash(secrets.make(id, 1)));
    }
    if (asked.contains(EventTypes.PROGRESS)
        && found.filter(each -> each.events().contains(EventTypes.PROGRESS)).isEmpty()) {
      endpoints().addEventOfJobs(tenant, EventTypes.PROGRESS);
    }
  }

  /** What signs that which is sent to places of jobs; empty if this node can't sign. */
  public Optional<String> secretOfJobs(int tenant) {
    openToJobs(tenant, List.of());
    return endpoints()
        .findOfJobs(tenant)
        .flatMap(found ->
            secrets.find(found.id(), found.secret().secretNumber(), found.secret().secretHash()));
  }

  public Deliveries deliveries() {
    return parts.database().deliveries();
  }

  public Feed feed() {
    return feed;
  }

  /** Why nothing could be sent to this URL; it may be fine now and not later, so each time is. */
  public Optional<String> objection(String url) {
    return client.objection(url, RESOLVE).map(FetchResult.Reason::text);
  }

  /** A new endpoint; nothing if there are too many. */
  public Optional<Shown> create(UUID id, Webhooks.Wish wish, Audit.Line line) {
    String secret = secrets.make(id, 1);
    return endpoints()
        .create(id, wish, EndpointSecrets.hash(secret), MOST_ENDPOINTS, line)
        .map(made -> new Shown(made, secret));
  }

  /** The next secret; nothing if somebody rotates at the same time. */
  public Optional<Shown> rotate(WebhookView webhook, Duration overlap, Audit.Line line) {
    String secret = secrets.make(webhook.id(), webhook.secret().secretNumber() + 1);
    return endpoints()
        .rotate(webhook, EndpointSecrets.hash(secret), overlap, line)
        .map(rotated -> new Shown(rotated, secret));
  }

  public Optional<WebhookView> enable(UUID id, Audit.Line line) {
    Optional<WebhookView> enabled = endpoints().enable(id, times.retryFor(), line);
    due.ring();
    return enabled;
  }

  /** Sends a message about nothing, once. */
  public Optional<DeliveryView> test(WebhookView webhook) {
    String message = Payload.id(UuidCreator.getTimeOrderedEpoch());
    deliveries()
        .test(
            webhook.tenantId(),
            webhook.id(),
            message,
            EventTypes.TEST,
            Payload.test(webhook.id(), InstantSource.system().instant()).toString());
    due.ring();
    return deliveries().find(webhook.tenantId(), webhook.id(), message);
  }

  /** Sends it again; false if the endpoint is disabled. */
  public boolean redeliver(WebhookView webhook, String message) {
    boolean again =
        deliveries().redeliver(webhook.tenantId(), webhook.id(), message, times.retryFor());
    due.ring();
    return again;
  }

  /** Sends all again that failed since then; how many. */
  public int redeliver(WebhookView webhook, Instant since) {
    int again =
        deliveries().redeliverFailed(webhook.tenantId(), webhook.id(), since, times.retryFor());
    due.ring();
    return again;
  }

  /** What is under way is given back, so that another node sends it. */
  @Override
  public void close() {
    closing = true;
    feed.close();
    due.ring();
    if (duties != null) {
      duties.close();
    }
    if (sender != null) {
      sender.close();
    }
  }
}
