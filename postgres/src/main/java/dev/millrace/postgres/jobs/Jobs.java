package dev.millrace.postgres.jobs;

import dev.millrace.engine.job.JobId;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.records.Lookup;
import dev.millrace.postgres.records.RecordMapper;
import dev.millrace.postgres.tenants.Visibility;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Looks at jobs. */
public final class Jobs implements AutoCloseable {

  static final String COLUMNS =
      """
      j.tenant_id, j.id, e.slug as effect, j.workflow_id, f.slug as workflow, w.user_id, j.state,
          j.progress, j.step, j.message, j.summary, j.priority, j.attempts, j.failures,
          j.interruptions, j.held, j.hold_open, j.captured, j.price_unit, j.price_rate,
          j.delivered, j.error_code, j.error_message, j.created_at, j.due_at, j.started_at,
          j.finished_at, j.deadline_at, j.retry_of, j.follows, j.batch_id, j.workspace,
          j.overturned_at,
          j.events, (
              select i.notes
              from job_input i
              where i.tenant_id = j.tenant_id
                and i.job_id = j.id) as notes, (
              select n.id
              from job n
              where n.tenant_id = j.tenant_id
                and n.follows = j.id
                and n.deleted_at is null
              order by n.created_at desc, n.id desc
              limit 1) as follow_up_id\
      """;

  private static final String FIND =
      """
      select k.place, %s, i.input
      from unnest(cast(:tenants as int[]), cast(:ids as uuid[])) with ordinality
          as k (tenant_id, id, place)
      join job j on j.tenant_id = k.tenant_id and j.id = k.id
      join wallet w on w.id = j.wallet_id
      join effect e on e.id = j.effect_id
      join workflow f on f.id = j.workflow_id
      join job_input i on i.tenant_id = j.tenant_id and i.job_id = j.id
      where j.deleted_at is null
      """
          .formatted(COLUMNS);

  private static final String NARROWED =
      """

            and (cast(:states as text[]) is null or j.state = any (cast(:states as job_state[])))
            and (cast(:before as uuid) is null or j.id < :before)
            and (cast(:floor as uuid) is null or j.id >= :floor)\
      """;

  private static final String HIS =
      """
      wallet_id = (
            select id
            from wallet
            where tenant_id = :tenant
              and user_id = :user)\
      """;

  /** A walk over a tenant's jobs, from the newest on. */
  private static final String LIST = page("", "true" + NARROWED);

  /** A walk over one user's jobs, by the index of his wallet. */
  private static final String LIST_OF_USER = page("", "j." + HIS + NARROWED);

  /**
   * Only live jobs have a dispatch, so a walk over those never meets the many that ended. The
   * offset keeps the planner from walking over the jobs instead.
   */
  private static final String LIST_LIVE =
      page(
          """
          join (
                  select tenant_id, job_id
                  from dispatch
                  where tenant_id = :tenant
                    and state = any (cast(:states as job_state[]))
                    and (cast(:before as uuid) is null or job_id < :before)
                    and (cast(:floor as uuid) is null or job_id >= :floor)
                  order by job_id desc
                  offset 0) d on d.job_id = j.id
          """,
          "true");

  private static final String COUNT_LIVE =
      """
      select count(*)
      from (
          select 1
          from dispatch d
          join job j on j.tenant_id = d.tenant_id and j.id = d.job_id
          join wallet w on w.id = j.wallet_id
          where d.tenant_id = :tenant
            and d.state = cast(:state as job_state)
            and (cast(:user as text) is null or w.user_id = :user)
            and j.deleted_at is null
          limit :most) as counted
      """;

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

  private static final String FLOOR_OF_USER =
      """
      select id
      from job
      where %s
        and (cast(:before as uuid) is null or id < :before)
      order by id desc
      offset :stretch
      limit 1
      """
          .formatted(HIS);

  private static final String FLOOR_LIVE =
      """
      select job_id
      from dispatch
      where tenant_id = :tenant
        and (cast(:before as uuid) is null or job_id < :before)
      order by job_id desc
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

  private static final String NEWEST_OF_RELATED =
      """
      select job_id
      from job_input
      where tenant_id = :tenant
        and notes ->> 'dialect' = :dialect
        and notes #>> '{related,type}' = :type
        and notes #>> '{related,id}' = :id
      order by job_id desc
      limit 1
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
  private final Lookup<JobId, JobView> lookup;

  public Jobs(Jdbi jdbi) {
    this.jdbi = jdbi;
    this.lookup = new Lookup<>("find-job", this::findAll);
  }

  /**
   * A page of jobs.
   *
   * @param live a join with those that are wanted, or nothing
   * @param whose conditions that no such join has
   */
  private static String page(String live, String whose) {
    return """
    select %s, null as input
    from job j
    join wallet w on w.id = j.wallet_id
    join effect e on e.id = j.effect_id
    join workflow f on f.id = j.workflow_id
    %s
    where j.tenant_id = :tenant
      and %s
      and (cast(:effect as text) is null or e.slug = :effect)
      and (cast(:batch as uuid) is null or j.batch_id = :batch)
      and (cast(:workspace as text) is null or j.workspace = :workspace)
      and (cast(:ending as text) is null or right(cast(j.id as text), length(:ending)) = :ending)
      and j.deleted_at is null
    order by j.id desc
    limit :limit
    """
        .formatted(COLUMNS, live, whose);
  }

  /**
   * Which jobs to list, newest first.
   *
   * @param states null for any
   * @param ending how the id ends, which is what people see of it; null for any
   * @param before the last id of the page before
   */
  public record Filter(
      Visibility whose,
      @Nullable String effect,
      @Nullable List<State> states,
      @Nullable UUID batch,
      @Nullable String ending,
      @Nullable UUID before,
      int limit) {

    public Filter(
        Visibility whose,
        @Nullable String effect,
        @Nullable List<State> states,
        @Nullable UUID batch,
        @Nullable UUID before,
        int limit) {
      this(whose, effect, states, batch, null, before, limit);
    }

    /** Whether only jobs are asked for that have not ended. */
    boolean live() {
      return states != null && !states.isEmpty() && states.stream().noneMatch(State::terminal);
    }

    /** The same question from another place on. */
    public Filter from(@Nullable UUID other, int most) {
      return new Filter(whose, effect, states, batch, ending, other, most);
    }
  }

  /** Finds a job that somebody may see. */
  public Optional<JobView> find(Visibility whose, UUID id) {
    return lookup
        .find(new JobId(whose.tenant(), id))
        .filter(job -> whose.includes(job.request().userId(), job.links().workspace()));
  }

  private List<Lookup.Found<JobView>> findAll(List<JobId> ids) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(FIND)
            .bindArray("tenants", Integer.class, ids.stream().map(JobId::tenant).toList())
            .bindArray("ids", UUID.class, ids.stream().map(JobId::uuid).toList())
            .map(RecordMapper.of(JobView.class).found())
            .list());
  }

  @Override
  public void close() {
    lookup.close();
  }

  /** Those of these jobs that are there, with their inputs, in the order that was asked for. */
  public List<JobView> all(int tenant, List<UUID> ids) {
    return findAll(ids.stream().map(id -> new JobId(tenant, id)).toList()).stream()
        .sorted(Comparator.comparingInt(Lookup.Found::place))
        .map(Lookup.Found::value)
        .toList();
  }

  public JobWalks walks() {
    return new JobWalks(jdbi);
  }

  public List<JobView> list(Filter filter) {
    return list(filter, null);
  }

  /**
   * The job at which a walk ends that looks at so many jobs, from the newest or from before that
   * one; empty if there are not so many. A page that few jobs match then costs no more than one
   * that all do.
   */
  public Optional<UUID> floor(Filter filter, int stretch) {
    String sql = filter.whose().user() != null ? FLOOR_OF_USER : filter.live() ? FLOOR_LIVE : FLOOR;
    return jdbi.withHandle(handle ->
        handle
            .createQuery(sql)
            .bindMap(
                filter.whose().user() == null ? Map.of() : Map.of("user", filter.whose().user()))
            .bind("tenant", filter.whose().tenant())
            .bind("before", filter.before())
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
        filter.states() == null
            ? null
            : filter.states().stream().map(State::label).toArray(String[]::new);
    String sql = filter.whose().user() != null ? LIST_OF_USER : filter.live() ? LIST_LIVE : LIST;
    return jdbi.withHandle(handle ->
        handle
            .createQuery(sql)
            .bindMap(
                filter.whose().user() == null ? Map.of() : Map.of("user", filter.whose().user()))
            .bind("tenant", filter.whose().tenant())
            .bind("effect", filter.effect())
            .bindArray("states", String.class, states == null ? null : (Object[]) states)
            .bind("batch", filter.batch())
            .bind("workspace", filter.whose().workspace())
            .bind("ending", filter.ending())
            .bind("before", filter.before())
            .bind("floor", floor)
            .bind("limit", filter.limit())
            .map(RecordMapper.of(JobView.class))
            .list());
  }

  /**
   * How many live jobs are in a state, counted no further than this.
   *
   * @param user only his, or null for anybody's
   */
  public int countLive(int tenant, @Nullable String user, State state, int most) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(COUNT_LIVE)
            .bind("tenant", tenant)
            .bind("user", user)
            .bind("state", state.label())
            .bind("most", most)
            .mapTo(Integer.class)
            .one());
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
            .map(RecordMapper.of(KeyUse.class))
            .findOne());
  }

  /** The newest job of a dialect that belongs to a thing of the product's. */
  public Optional<UUID> newestOfRelated(int tenant, String dialect, String type, String id) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(NEWEST_OF_RELATED)
            .bind("tenant", tenant)
            .bind("dialect", dialect)
            .bind("type", type)
            .bind("id", id)
            .mapTo(UUID.class)
            .findOne());
  }

  public List<AttemptView> attempts(int tenant, UUID job) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(ATTEMPTS)
            .bind("tenant", tenant)
            .bind("job", job)
            .map(RecordMapper.of(AttemptView.class))
            .list());
  }
}
