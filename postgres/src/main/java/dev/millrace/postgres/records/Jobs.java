package dev.millrace.postgres.records;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.mapper.reflect.ConstructorMapper;
import org.jspecify.annotations.Nullable;

/** Looks at jobs. */
public final class Jobs {

  private static final String COLUMNS =
      """
      j.tenant_id, j.id, e.slug as effect, j.workflow_id, f.slug as workflow, w.user_id, j.state,
          j.progress, j.step, j.message, j.summary, j.priority, j.attempts, j.failures,
          j.interruptions, j.held, j.hold_open, j.captured, j.price_unit, j.price_rate,
          j.delivered, j.error_code, j.error_message, j.created_at, j.due_at, j.started_at,
          j.finished_at, d.deadline_at, j.retry_of, j.follows, j.batch_id, j.overturned_at,
          j.events, (
              select n.id
              from job n
              where n.tenant_id = j.tenant_id
                and n.follows = j.id
                and n.deleted_at is null
              limit 1) as follow_up_id\
      """;

  private static final String FIND =
      """
      select %s, i.input
      from job j
      join wallet w on w.id = j.wallet_id
      join effect e on e.id = j.effect_id
      join workflow f on f.id = j.workflow_id
      join job_input i on i.tenant_id = j.tenant_id and i.job_id = j.id
      left join dispatch d on d.tenant_id = j.tenant_id and d.job_id = j.id
      where j.tenant_id = :tenant
        and j.id = :id
        and (cast(:user as text) is null or w.user_id = :user)
        and j.deleted_at is null
      """
          .formatted(COLUMNS);

  private static final String LIST =
      """
      select %s, null as input
      from job j
      join wallet w on w.id = j.wallet_id
      join effect e on e.id = j.effect_id
      join workflow f on f.id = j.workflow_id
      left join dispatch d on d.tenant_id = j.tenant_id and d.job_id = j.id
      where j.tenant_id = :tenant
        and (cast(:user as text) is null or w.user_id = :user)
        and (cast(:effect as text) is null or e.slug = :effect)
        and (cast(:states as text[]) is null or j.state = any (cast(:states as job_state[])))
        and (cast(:batch as uuid) is null or j.batch_id = :batch)
        and (cast(:before as uuid) is null or j.id < :before)
        and (cast(:floor as uuid) is null or j.id >= :floor)
        and j.deleted_at is null
      order by j.id desc
      limit :limit
      """
          .formatted(COLUMNS);

  /** Where a walk over so many of the newest jobs ends; nothing if there are not so many. */
  private static final String FLOOR =
      """
      select id
      from job
      where tenant_id = :tenant
        and (cast(:before as uuid) is null or id < :before)
      order by id desc
      offset :stretch
      limit 1
      """;

  private static final String KEY_USE =
      """
      select j.id, j.fingerprint
      from job j
      join wallet w on w.id = j.wallet_id
      where w.tenant_id = :tenant
        and w.user_id = :user
        and j.idempotency_key = :key
      """;

  private static final String ATTEMPTS =
      """
      select number, worker, started_at, ended_at, outcome, error, provider, reference
      from attempt
      where tenant_id = :tenant
        and job_id = :job
      order by number
      """;

  private final Jdbi jdbi;

  public Jobs(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * Which jobs to list, newest first.
   *
   * @param states null for any
   * @param before the last id of the page before
   */
  public record Filter(
      int tenant,
      @Nullable String user,
      @Nullable String effect,
      @Nullable List<String> states,
      @Nullable UUID batch,
      @Nullable UUID before,
      int limit) {}

  /**
   * Finds a job of this tenant.
   *
   * @param user only if it is this user's, or null for anybody's
   */
  public Optional<JobView> find(int tenant, @Nullable String user, UUID id) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(FIND)
            .bind("tenant", tenant)
            .bind("user", user)
            .bind("id", id)
            .map(ConstructorMapper.of(JobView.class))
            .findOne());
  }

  public List<JobView> list(Filter filter) {
    return list(filter, null);
  }

  /**
   * The job at which a walk ends that looks at so many jobs, from the newest or from before that
   * one; empty if there are not so many. A page that few jobs match then costs no more than one
   * that all do.
   */
  public Optional<UUID> floor(int tenant, @Nullable UUID before, int stretch) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(FLOOR)
            .bind("tenant", tenant)
            .bind("before", before)
            .bind("stretch", stretch)
            .mapTo(UUID.class)
            .findOne());
  }

  /**
   * The jobs that match, down to a floor.
   *
   * @param floor the oldest job to look at, or null for all
   */
  public List<JobView> list(Filter filter, @Nullable UUID floor) {
    String @Nullable [] states =
        filter.states() == null ? null : filter.states().toArray(String[]::new);
    return jdbi.withHandle(handle ->
        handle
            .createQuery(LIST)
            .bind("tenant", filter.tenant())
            .bind("user", filter.user())
            .bind("effect", filter.effect())
            .bindArray("states", String.class, states == null ? null : (Object[]) states)
            .bind("batch", filter.batch())
            .bind("before", filter.before())
            .bind("floor", floor)
            .bind("limit", filter.limit())
            .map(ConstructorMapper.of(JobView.class))
            .list());
  }

  /** Which job used an idempotency key, and for which request. */
  public record KeyUse(UUID id, String fingerprint) {}

  public Optional<KeyUse> findKey(int tenant, String user, String key) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(KEY_USE)
            .bind("tenant", tenant)
            .bind("user", user)
            .bind("key", key)
            .map(ConstructorMapper.of(KeyUse.class))
            .findOne());
  }

  public List<AttemptView> attempts(int tenant, UUID job) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(ATTEMPTS)
            .bind("tenant", tenant)
            .bind("job", job)
            .map(ConstructorMapper.of(AttemptView.class))
            .list());
  }
}
