package dev.millrace.postgres.webhooks;

import dev.millrace.postgres.records.RecordMapper;
import dev.millrace.postgres.tenants.Audit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * Hands deliveries to whoever sends them, for a while. A claim moves the time of the next attempt
 * past its own end: if the sender dies, the delivery is due again by itself. The number of the
 * attempt is the fence: a report about an older one changes nothing. The endpoint's row is locked
 * before those of its deliveries.
 */
public final class DueDeliveries {

  private static final String DUE =
      """
      select w.tenant_id, w.id
      from webhook w
      where exists (
          select
          from webhook_delivery d
          where d.tenant_id = w.tenant_id
            and d.webhook_id = w.id
            and d.state = 'pending'
            and d.next_at <= (select clock_timestamp()))
      """;

  private static final String CLAIM =
      """
      with chosen as (
          select c.n
          from unnest(cast(:tenants as int[]), cast(:webhooks as uuid[]), cast(:rooms as int[]))
              as r (tenant_id, webhook_id, room)
          cross join lateral (
              select d.n
              from webhook_delivery d
              where d.tenant_id = r.tenant_id
                and d.webhook_id = r.webhook_id
                and d.state = 'pending'
                and d.next_at <= (select clock_timestamp())
              order by d.next_at, d.n
              limit r.room
              for update skip locked) c)
      update webhook_delivery d
      set attempts = d.attempts + 1,
          next_at = clock_timestamp() + make_interval(secs => :lease)
      from chosen c, webhook w
      where d.n = c.n
        and w.tenant_id = d.tenant_id
        and w.id = d.webhook_id
      returning d.n, d.tenant_id, d.webhook_id, d.message, d.type, d.payload, d.attempts as number,
          clock_timestamp() as at, d.give_up_at, coalesce(d.url, w.url) as url,
          case
              when w.of_jobs then d.job_id
          end as named_by, w.secret_number,
          encode(w.secret_hash, 'hex') as secret_hash,
          case
              when w.previous_until > clock_timestamp() then encode(w.previous_hash, 'hex')
          end as previous_hash
      """;

  private static final String ATTEMPT =
      """
      insert into webhook_attempt (delivery, number, sent_at, millis, status, error, excerpt)
      select n, :number, :at, :millis, :status, :error, :excerpt
      from webhook_delivery
      where n = :n
      for key share
      on conflict do nothing
      """;

  private static final String FINISH =
      """
      update webhook_delivery
      set state = :state,
          finished_at = clock_timestamp()
      where n = :n
        and attempts = :number
        and state in ('pending', 'held')
      """;

  /** A disabled endpoint's deliveries are held; this one is then too, with its new time. */
  private static final String AGAIN =
      """
      update webhook_delivery
      set next_at = least(clock_timestamp() + make_interval(secs => :delay), give_up_at)
      where n = :n
        and attempts = :number
        and state in ('pending', 'held')
      """;

  /** Nobody was told, so it does not count. */
  private static final String RELEASE =
      """
      update webhook_delivery
      set next_at = clock_timestamp(),
          attempts = attempts - 1
      where n = :n
        and attempts = :number
        and state in ('pending', 'held')
      """;

  private static final String WELL =
      """
      update webhook
      set failing_since = null
      where tenant_id = :tenant
        and id = :webhook
        and failing_since is not null
      """;

  private static final String UNWELL =
      """
      update webhook
      set failing_since = clock_timestamp()
      where tenant_id = :tenant
        and id = :webhook
        and failing_since is null
      """;

  private static final String LONG_UNWELL =
      """
      select count(*) > 0
      from webhook
      where tenant_id = :tenant
        and id = :webhook
        and failing_since < clock_timestamp() - make_interval(secs => :long)
      """;

  private final Jdbi jdbi;

  public DueDeliveries(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** An endpoint by its tenant and id. */
  public record Endpoint(int tenantId, UUID id) {}

  /**
   * A delivery that a sender has claimed.
   *
   * @param number of this attempt, from 1
   * @param at when it was claimed, by the database's clock
   * @param giveUpAt an attempt at or after this is the last
   */
  public record Claim(
      long n,
      Target target,
      Content content,
      int number,
      Instant at,
      Instant giveUpAt,
      Secret secret) {

    public Endpoint endpoint() {
      return new Endpoint(target.tenantId, target.webhookId);
    }

    @Override
    public String toString() {
      return "Claim[" + content.message + ", attempt " + number + "]";
    }
  }

  /**
   * Where it is to go.
   *
   * @param namedBy the job that named the place itself; null for an endpoint of the tenant's
   */
  public record Target(int tenantId, UUID webhookId, String url, @Nullable UUID namedBy) {}

  /** What is told. */
  public record Content(String message, String type, String payload) {}

  /**
   * What signs it.
   *
   * @param previousHash of the secret before, if it signs too
   */
  public record Secret(int secretNumber, String secretHash, @Nullable String previousHash) {

    @Override
    public String toString() {
      return "Secret[" + secretNumber + "]";
    }
  }

  /** What came back. */
  public record Answer(
      int millis, @Nullable Integer status, @Nullable String error, @Nullable String excerpt) {}

  /** Endpoints for which something is due. */
  public List<Endpoint> due() {
    return jdbi.withHandle(
        handle -> handle.createQuery(DUE).map(RecordMapper.of(Endpoint.class)).list());
  }

  /** Takes what is due for these endpoints, at most so many for each. */
  public List<Claim> claim(Map<Endpoint, Integer> rooms, Duration lease) {
    List<Map.Entry<Endpoint, Integer>> asked = List.copyOf(rooms.entrySet());
    return jdbi.withHandle(handle ->
        handle
            .createQuery(CLAIM)
            .bindArray(
                "tenants", Integer.class, asked.stream().map(e -> e.getKey().tenantId()).toList())
            .bindArray("webhooks", UUID.class, asked.stream().map(e -> e.getKey().id()).toList())
            .bindArray("rooms", Integer.class, asked.stream().map(Map.Entry::getValue).toList())
            .bind("lease", Webhooks.seconds(lease))
            .map(RecordMapper.of(Claim.class))
            .list());
  }

  /** The other side took it. */
  public void delivered(Claim claim, Answer answer, boolean counts) {
    jdbi.useTransaction(handle -> {
      if (counts) {
        health(handle, WELL, claim);
      }
      finish(handle, claim, DeliveryState.DELIVERED);
      log(handle, claim, answer);
    });
  }

  /** It is to be tried again after a rest, or when there is no more time. */
  public void again(Claim claim, Answer answer, Duration delay) {
    jdbi.useTransaction(handle -> {
      health(handle, UNWELL, claim);
      handle
          .createUpdate(AGAIN)
          .bind("n", claim.n())
          .bind("number", claim.number())
          .bind("delay", Webhooks.seconds(delay))
          .execute();
      log(handle, claim, answer);
    });
  }

  /** It is over, without any consequence for the endpoint. */
  public void failed(Claim claim, Answer answer) {
    jdbi.useTransaction(handle -> {
      log(handle, claim, answer);
      finish(handle, claim, DeliveryState.FAILED);
    });
  }

  /** The time is over. An endpoint that has failed for this long is disabled. */
  public void gaveUp(Claim claim, Answer answer, Duration unwell, Audit.Line line) {
    jdbi.useTransaction(handle -> {
      health(handle, UNWELL, claim);
      boolean disable =
          handle
              .createQuery(LONG_UNWELL)
              .bind("tenant", claim.target().tenantId())
              .bind("webhook", claim.target().webhookId())
              .bind("long", Webhooks.seconds(unwell))
              .mapTo(Boolean.class)
              .one();
      if (disable) {
        Webhooks.disable(handle, claim.target().webhookId(), "failing", line);
      }
      finish(handle, claim, DeliveryState.FAILED);
      log(handle, claim, answer);
    });
  }

  /** The endpoint asks not to be told any more. */
  public void gone(Claim claim, Answer answer, Audit.Line line) {
    jdbi.useTransaction(handle -> {
      Webhooks.disable(handle, claim.target().webhookId(), "gone", line);
      finish(handle, claim, DeliveryState.FAILED);
      log(handle, claim, answer);
    });
  }

  /** It was not sent after all. */
  public void release(Claim claim) {
    jdbi.useHandle(handle ->
        handle.createUpdate(RELEASE).bind("n", claim.n()).bind("number", claim.number()).execute());
  }

  private static void log(Handle handle, Claim claim, Answer answer) {
    handle
        .createUpdate(ATTEMPT)
        .bind("n", claim.n())
        .bind("number", claim.number())
        .bind("at", claim.at())
        .bind("millis", answer.millis())
        .bind("status", answer.status())
        .bind("error", answer.error())
        .bind("excerpt", answer.excerpt())
        .execute();
  }

  private static void finish(Handle handle, Claim claim, DeliveryState state) {
    handle
        .createUpdate(FINISH)
        .bind("n", claim.n())
        .bind("number", claim.number())
        .bind("state", state.label())
        .execute();
  }

  private static void health(Handle handle, String sql, Claim claim) {
    handle
        .createUpdate(sql)
        .bind("tenant", claim.target().tenantId())
        .bind("webhook", claim.target().webhookId())
        .execute();
  }
}
