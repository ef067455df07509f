package dev.millrace.postgres.webhooks;

import dev.millrace.postgres.records.RecordMapper;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/** What is known about each delivery, and what its owner does with it. */
public final class Deliveries {

  private static final String SELECT =
      """
      select d.n, d.webhook_id, d.message, d.type, d.job_id, d.payload, d.state, d.attempts,
          d.created_at, d.next_at, d.finished_at, a.status, a.error
      from webhook_delivery d
      left join lateral (
          select a.status, a.error
          from webhook_attempt a
          where a.delivery = d.n
          order by a.number desc
          limit 1) a on true
      where d.tenant_id = :tenant
        and d.webhook_id = :webhook
      """;

  private static final String LIST =
      SELECT
          + """
            and d.n < :before
            and (cast(:state as text) is null or d.state = :state)
          order by d.n desc
          limit :limit
          """;

  private static final String FIND =
      SELECT
          + """
            and d.message = :message
          """;

  private static final String OF_JOB =
      """
      select d.webhook_id, w.url, d.message, d.type, d.state, d.attempts, d.next_at, a.status,
          a.error
      from webhook_delivery d
      join webhook w on w.tenant_id = d.tenant_id and w.id = d.webhook_id
      left join lateral (
          select a.status, a.error
          from webhook_attempt a
          where a.delivery = d.n
          order by a.number desc
          limit 1) a on true
      where d.tenant_id = :tenant
        and d.job_id = :job
      order by d.n desc
      limit :limit
      """;

  private static final String ATTEMPTS =
      """
      select number, sent_at, millis, status, error, excerpt
      from webhook_attempt
      where delivery = :n
      order by number
      """;

  /** A test is tried once, also if the endpoint is disabled. */
  private static final String TEST =
      """
      insert into webhook_delivery (tenant_id, webhook_id, message, type, payload, give_up_at)
      select tenant_id, id, :message, :type, :payload, clock_timestamp()
      from webhook
      where tenant_id = :tenant
        and id = :webhook
      for key share
      """;

  private static final String AGAIN =
      """
      update webhook_delivery d
      set state = 'pending',
          next_at = clock_timestamp(),
          finished_at = null,
          give_up_at = clock_timestamp() + make_interval(secs => :patience)
      from webhook w
      where d.tenant_id = :tenant
        and d.webhook_id = :webhook
        and w.tenant_id = d.tenant_id
        and w.id = d.webhook_id
        and w.disabled_at is null
      """;

  private static final String REDELIVER =
      AGAIN
          + """
            and d.message = :message
          """;

  private static final String REDELIVER_FAILED =
      AGAIN
          + """
            and d.state = 'failed'
            and d.job_id is not null
            and d.created_at >= :since
          """;

  private static final String FORGET =
      """
      delete from webhook_delivery
      where n in (
          select n
          from webhook_delivery
          where created_at < (select clock_timestamp()) - make_interval(secs => :age)
          order by created_at
          limit :limit
          for update skip locked)
      """;

  private static final String PENDING =
      """
      select count(*)
      from webhook_delivery
      where state = 'pending'
      """;

  private final Jdbi jdbi;

  public Deliveries(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * Which to list, newest first.
   *
   * @param state only these, or null
   * @param before the last of the page before, or null
   */
  public record Filter(
      int tenant, UUID webhook, @Nullable DeliveryState state, @Nullable Long before, int limit) {}

  public List<DeliveryView> list(Filter filter) {
    return jdbi.withHandle(handle ->
        of(handle.createQuery(LIST), filter.tenant(), filter.webhook())
            .bind("state", filter.state() == null ? null : filter.state().label())
            .bind("before", filter.before() == null ? Long.MAX_VALUE : filter.before())
            .bind("limit", filter.limit())
            .map(RecordMapper.of(DeliveryView.class))
            .list());
  }

  /** What an endpoint was told of a job, without the message itself. */
  public record JobDelivery(
      UUID webhookId,
      String url,
      String message,
      String type,
      DeliveryState state,
      int attempts,
      Instant nextAt,
      DeliveryView.Answer answer) {}

  /** What all endpoints were told of a job, newest first. */
  public List<JobDelivery> ofJob(int tenant, UUID job, int limit) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(OF_JOB)
            .bind("tenant", tenant)
            .bind("job", job)
            .bind("limit", limit)
            .map(RecordMapper.of(JobDelivery.class))
            .list());
  }

  public Optional<DeliveryView> find(int tenant, UUID webhook, String message) {
    return jdbi.withHandle(handle ->
        of(handle.createQuery(FIND), tenant, webhook)
            .bind("message", message)
            .map(RecordMapper.of(DeliveryView.class))
            .findOne());
  }

  public List<DeliveryView.DeliveryTry> attempts(DeliveryView delivery) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(ATTEMPTS)
            .bind("n", delivery.n())
            .map(RecordMapper.of(DeliveryView.DeliveryTry.class))
            .list());
  }

  /** A message that tells of no job. */
  public void test(int tenant, UUID webhook, String message, String type, String payload) {
    jdbi.useHandle(handle ->
        of(handle.createUpdate(TEST), tenant, webhook)
            .bind("message", message)
            .bind("type", type)
            .bind("payload", payload)
            .execute());
  }

  /** Sends it again as soon as can be, whatever became of it; false if it is disabled or gone. */
  public boolean redeliver(int tenant, UUID webhook, String message, Duration patience) {
    return jdbi.withHandle(handle ->
        of(handle.createUpdate(REDELIVER), tenant, webhook)
                .bind("message", message)
                .bind("patience", Webhooks.seconds(patience))
                .execute()
            > 0);
  }

  /** Sends all again that failed and were made since then. */
  public int redeliverFailed(int tenant, UUID webhook, Instant since, Duration patience) {
    return jdbi.withHandle(handle ->
        of(handle.createUpdate(REDELIVER_FAILED), tenant, webhook)
            .bind("since", since)
            .bind("patience", Webhooks.seconds(patience))
            .execute());
  }

  /** Removes the oldest; how many they were. */
  public int forget(Duration age, int limit) {
    return jdbi.withHandle(handle ->
        handle
            .createUpdate(FORGET)
            .bind("age", Webhooks.seconds(age))
            .bind("limit", limit)
            .execute());
  }

  /** How many wait to be sent. */
  public long pending() {
    return jdbi.withHandle(handle -> handle.createQuery(PENDING).mapTo(Long.class).one());
  }

  private static <S extends SqlStatement<S>> S of(S statement, int tenant, UUID webhook) {
    return statement.bindMap(Map.of("tenant", tenant, "webhook", webhook));
  }
}
