package dev.millrace.postgres.webhooks;

import dev.millrace.postgres.records.RecordMapper;
import dev.millrace.postgres.tenants.Audit;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/** A tenant's endpoints. Every change is audited in its own transaction. */
public final class Webhooks {

  private static final String COLUMNS =
      """
      tenant_id, id, url, description, events, secret_number,
          encode(secret_hash, 'hex') as secret_hash,
          case
              when previous_until > clock_timestamp() then encode(previous_hash, 'hex')
          end as previous_hash,
          case
              when previous_until > clock_timestamp() then previous_until
          end as previous_until,
          created_at, failing_since, disabled_at, disabled_for\
      """;

  /** Two at once may both pass the limit; it is there against thousands. */
  private static final String CREATE =
      """
      insert into webhook (tenant_id, id, url, description, events, secret_hash)
      select :tenant, :id, :url, :description, :events, decode(:hash, 'hex')
      where :most > (
          select count(*)
          from webhook
          where tenant_id = :tenant)
      returning %s
      """
          .formatted(COLUMNS);

  /** The one that stands for those which jobs name themselves. */
  private static final String CREATE_OF_JOBS =
      """
      insert into webhook (tenant_id, id, url, description, events, secret_hash, of_jobs)
      values (:tenant, :id, :url, :description, :events, decode(:hash, 'hex'), true)
      on conflict (tenant_id) where of_jobs do nothing
      """;

  private static final String ADD_EVENT =
      """
      update webhook
      set events = array_append(events, :event)
      where tenant_id = :tenant
        and of_jobs
        and not (:event = any (events))
      """;

  private static final String FIND_OF_JOBS =
      """
      select %s
      from webhook
      where tenant_id = :tenant
        and of_jobs
      """
          .formatted(COLUMNS);

  private static final String LIST =
      """
      select %s
      from webhook
      where tenant_id = :tenant
      order by id
      """
          .formatted(COLUMNS);

  private static final String FIND =
      """
      select %s
      from webhook
      where tenant_id = :tenant
        and id = :id
      """
          .formatted(COLUMNS);

  private static final String CHANGE =
      """
      update webhook
      set url = :url,
          description = :description,
          events = :events,
          asked_at = clock_timestamp()
      where tenant_id = :tenant
        and id = :id
      returning %s
      """
          .formatted(COLUMNS);

  private static final String DELETE =
      """
      delete from webhook
      where tenant_id = :tenant
        and id = :id
      """;

  /** Whoever rotates twice at once gets one new secret: the number is what he saw. */
  private static final String ROTATE =
      """
      update webhook
      set secret_number = secret_number + 1,
          secret_hash = decode(:hash, 'hex'),
          previous_hash = secret_hash,
          previous_until = clock_timestamp() + make_interval(secs => :overlap)
      where tenant_id = :tenant
        and id = :id
        and secret_number = :number
      returning %s
      """
          .formatted(COLUMNS);

  /** It hears of what happens from now on. */
  private static final String ENABLE =
      """
      update webhook
      set disabled_at = null,
          disabled_for = null,
          failing_since = null,
          since = clock_timestamp()
      where tenant_id = :tenant
        and id = :id
        and disabled_at is not null
      """;

  /** What was waiting when it was disabled has all its time again. */
  private static final String RELEASE =
      """
      update webhook_delivery
      set state = 'pending',
          next_at = clock_timestamp(),
          give_up_at = clock_timestamp() + make_interval(secs => :patience)
      where tenant_id = :tenant
        and webhook_id = :id
        and state = 'held'
      """;

  private static final String DISABLE =
      """
      update webhook
      set disabled_at = clock_timestamp(),
          disabled_for = :reason
      where tenant_id = :tenant
        and id = :id
        and disabled_at is null
      """;

  private static final String HOLD =
      """
      update webhook_delivery
      set state = 'held'
      where tenant_id = :tenant
        and webhook_id = :id
        and state = 'pending'
      """;

  private final Jdbi jdbi;

  public Webhooks(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** What its owner says of an endpoint. */
  public record Wish(String url, @Nullable String description, List<String> events) {
    public Wish {
      events = List.copyOf(events);
    }
  }

  /**
   * Adds an endpoint; nothing if there are as many as there may be.
   *
   * @param hash of its secret, in hexadecimal
   */
  public Optional<WebhookView> create(UUID id, Wish wish, String hash, int most, Audit.Line line) {
    return jdbi.inTransaction(handle ->
        audited(
            handle,
            line,
            wished(handle.createQuery(CREATE), line.tenant(), id, wish)
                .bind("hash", hash)
                .bind("most", most)
                .map(RecordMapper.of(WebhookView.class))
                .findOne()));
  }

  /** The endpoint that stands for those which jobs name themselves, if there is one yet. */
  public Optional<WebhookView> findOfJobs(int tenant) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(FIND_OF_JOBS)
            .bind("tenant", tenant)
            .map(RecordMapper.of(WebhookView.class))
            .findOne());
  }

  /** Makes it, unless somebody else does at the same time. */
  public void createOfJobs(int tenant, UUID id, Wish wish, String hash) {
    jdbi.useHandle(handle ->
        wished(handle.createUpdate(CREATE_OF_JOBS), tenant, id, wish).bind("hash", hash).execute());
  }

  /** Lets it hear of one more type of event. */
  public void addEventOfJobs(int tenant, String event) {
    jdbi.useHandle(handle ->
        handle.createUpdate(ADD_EVENT).bind("tenant", tenant).bind("event", event).execute());
  }

  public List<WebhookView> list(int tenant) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(LIST)
            .bind("tenant", tenant)
            .map(RecordMapper.of(WebhookView.class))
            .list());
  }

  public Optional<WebhookView> find(int tenant, UUID id) {
    return jdbi.withHandle(handle -> find(handle, tenant, id));
  }

  public Optional<WebhookView> change(UUID id, Wish wish, Audit.Line line) {
    return jdbi.inTransaction(handle ->
        audited(
            handle,
            line,
            wished(handle.createQuery(CHANGE), line.tenant(), id, wish)
                .map(RecordMapper.of(WebhookView.class))
                .findOne()));
  }

  /** Removes it with all its deliveries. */
  public boolean delete(UUID id, Audit.Line line) {
    return jdbi.inTransaction(handle -> {
      boolean deleted = named(handle.createUpdate(DELETE), line.tenant(), id).execute() > 0;
      if (deleted) {
        Audit.write(handle, line);
      }
      return deleted;
    });
  }

  /**
   * Makes the next secret the one that signs; the one before signs too for a while. Nothing if
   * somebody else was faster.
   *
   * @param hash of the next secret
   */
  public Optional<WebhookView> rotate(
      WebhookView webhook, String hash, Duration overlap, Audit.Line line) {
    return jdbi.inTransaction(handle ->
        audited(
            handle,
            line,
            named(handle.createQuery(ROTATE), line.tenant(), webhook.id())
                .bind("number", webhook.secret().secretNumber())
                .bind("hash", hash)
                .bind("overlap", seconds(overlap))
                .map(RecordMapper.of(WebhookView.class))
                .findOne()));
  }

  /**
   * Lets it hear again; one that does already stays as it is.
   *
   * @param patience how long to try what was held back
   */
  public Optional<WebhookView> enable(UUID id, Duration patience, Audit.Line line) {
    return jdbi.inTransaction(handle -> {
      if (named(handle.createUpdate(ENABLE), line.tenant(), id).execute() > 0) {
        named(handle.createUpdate(RELEASE), line.tenant(), id)
            .bind("patience", seconds(patience))
            .execute();
        Audit.write(handle, line);
      }
      return find(handle, line.tenant(), id);
    });
  }

  /** Nothing more is sent to it, until it is enabled. */
  public Optional<WebhookView> disable(UUID id, String reason, Audit.Line line) {
    return jdbi.inTransaction(handle -> {
      disable(handle, id, reason, line);
      return find(handle, line.tenant(), id);
    });
  }

  /** In the transaction of what it comes from. */
  static void disable(Handle handle, UUID id, String reason, Audit.Line line) {
    if (named(handle.createUpdate(DISABLE), line.tenant(), id).bind("reason", reason).execute()
        > 0) {
      named(handle.createUpdate(HOLD), line.tenant(), id).execute();
      Audit.write(handle, line);
    }
  }

  private static Optional<WebhookView> find(Handle handle, int tenant, UUID id) {
    return named(handle.createQuery(FIND), tenant, id)
        .map(RecordMapper.of(WebhookView.class))
        .findOne();
  }

  private static Optional<WebhookView> audited(
      Handle handle, Audit.Line line, Optional<WebhookView> changed) {
    changed.ifPresent(_ -> Audit.write(handle, line));
    return changed;
  }

  private static <S extends SqlStatement<S>> S named(S statement, int tenant, UUID id) {
    return statement.bind("tenant", tenant).bind("id", id);
  }

  private static <S extends SqlStatement<S>> S wished(S statement, int tenant, UUID id, Wish wish) {
    return named(statement, tenant, id)
        .bind("url", wish.url())
        .bind("description", wish.description())
        .bindArray("events", String.class, wish.events());
  }

  public static double seconds(Duration duration) {
    return duration.toMillis() / 1000.0;
  }
}
