package dev.millrace.postgres.jobs;

import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.records.RecordMapper;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/**
 * Finds the jobs of a task, in the order of their ids. It walks along one index and looks at a
 * bounded stretch of it at a time, so that a filter that matches one job in a million takes many
 * short statements and not one that lasts for minutes.
 */
public final class TaskJobs {

  private static final UUID BEFORE_ALL = new UUID(0, 0);

  private static final String IN_TENANT = "j.tenant_id = :tenant";

  private static final String IN_BATCH = "j.tenant_id = :tenant and j.batch_id = :batch";

  private static final String IN_WALLET =
      """
      j.tenant_id = :tenant
            and j.wallet_id = (
                select id
                from wallet
                where tenant_id = :tenant
                  and user_id = :user)\
      """;

  private static final String OF_USER = "(cast(:user as text) is null or w.user_id = :user)";

  private static final String STRETCH_OF_TENANT = stretch(IN_TENANT);
  private static final String STRETCH_OF_BATCH = stretch(IN_BATCH);
  private static final String STRETCH_OF_USER = stretch(IN_WALLET);
  private static final String PAGE_OF_TENANT = page(IN_TENANT);
  private static final String PAGE_OF_BATCH = page(IN_BATCH + " and " + OF_USER);
  private static final String PAGE_OF_USER = page(IN_WALLET);
  private static final String QUOTE_OF_TENANT = quote(IN_TENANT);
  private static final String QUOTE_OF_BATCH = quote(IN_BATCH + " and " + OF_USER);
  private static final String QUOTE_OF_USER = quote(IN_WALLET);

  private static final String INPUTS =
      """
      select job_id, input
      from job_input
      where tenant_id = :tenant
        and job_id = any (:jobs)
      """;

  /** Where a bounded walk along the index of this way ends. */
  private static String stretch(String way) {
    return """
    select id
    from (
        select j.id
        from job j
        where %s
          and j.id > :after
          and j.id <= :newest
        order by j.id
        limit :stretch) looked_at
    order by id desc
    limit 1
    """
        .formatted(way);
  }

  private static String page(String way) {
    return """
    select j.id, j.workflow_id, e.slug as effect, w.user_id
    %s
      and j.id > :after
      and j.id <= :newest
      and j.created_at <= :as_of
    order by j.id
    limit :limit
    """
        .formatted(matches(way));
  }

  private static String quote(String way) {
    return """
    select count(*) as jobs, coalesce(sum(j.held), 0) as credits
    %s
    """
        .formatted(matches(way));
  }

  private static String matches(String way) {
    return """
    from job j
    join wallet w on w.id = j.wallet_id
    join effect e on e.id = j.effect_id
    where %s
      and j.deleted_at is null
      and j.state = any (cast(:states as job_state[]))
      and (cast(:effect as text) is null or e.slug = :effect)
      and (cast(:error_code as text) is null or j.error_code = :error_code)
      and (cast(:created_after as timestamptz) is null or j.created_at >= :created_after)
      and (cast(:created_before as timestamptz) is null or j.created_at < :created_before)\
    """
        .formatted(way);
  }

  private final Jdbi jdbi;

  public TaskJobs(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * Which jobs. What is null does not matter.
   *
   * @param states never null: every action knows the states in which it makes sense
   */
  public record Filter(
      List<State> states,
      @Nullable String effect,
      @Nullable String user,
      @Nullable UUID batch,
      @Nullable String errorCode,
      @Nullable Instant createdAfter,
      @Nullable Instant createdBefore) {}

  /** A job to act on. */
  public record Match(UUID id, int workflowId, String effect, String userId) {}

  /**
   * A part of a task.
   *
   * @param end the last job that was looked at, or null if there are none left
   */
  public record Part(List<Match> matches, @Nullable UUID end) {}

  /** How many jobs match now, and what they hold or held. */
  public record Quote(long jobs, long credits) {}

  private enum Way {
    TENANT(STRETCH_OF_TENANT, PAGE_OF_TENANT, QUOTE_OF_TENANT),
    BATCH(STRETCH_OF_BATCH, PAGE_OF_BATCH, QUOTE_OF_BATCH),
    USER(STRETCH_OF_USER, PAGE_OF_USER, QUOTE_OF_USER);

    private final String stretch;
    private final String page;
    private final String quote;

    Way(String stretch, String page, String quote) {
      this.stretch = stretch;
      this.page = page;
      this.quote = quote;
    }

    static Way of(Filter filter) {
      if (filter.batch() != null) {
        return BATCH;
      }
      return filter.user() != null ? USER : TENANT;
    }
  }

  /**
   * The next part of a task.
   *
   * @param limit the most jobs to act on
   * @param stretch the most jobs to look at
   */
  public Part next(TaskView task, Filter filter, int limit, int stretch) {
    Way way = Way.of(filter);
    UUID after = task.cursor() == null ? BEFORE_ALL : task.cursor();
    return jdbi.withHandle(handle -> {
      Query walk = handle.createQuery(way.stretch);
      switch (way) {
        case TENANT -> {}
        case BATCH -> walk.bind("batch", filter.batch());
        case USER -> walk.bind("user", filter.user());
      }
      Optional<UUID> end =
          walk.bind("tenant", task.tenantId())
              .bind("after", after)
              .bind("newest", task.request().newest())
              .bind("stretch", stretch)
              .mapTo(UUID.class)
              .findOne();
      if (end.isEmpty()) {
        return new Part(List.of(), null);
      }
      List<Match> matches =
          matching(handle.createQuery(way.page), way, task.tenantId(), filter)
              .bind("after", after)
              .bind("newest", end.get())
              .bind("as_of", task.times().createdAt())
              .bind("limit", limit)
              .map(RecordMapper.of(Match.class))
              .list();
      return new Part(matches, matches.size() < limit ? end.get() : matches.getLast().id());
    });
  }

  public Quote quote(int tenant, Filter filter) {
    Way way = Way.of(filter);
    return jdbi.withHandle(handle ->
        matching(handle.createQuery(way.quote), way, tenant, filter)
            .map(RecordMapper.of(Quote.class))
            .one());
  }

  private static Query matching(Query query, Way way, int tenant, Filter filter) {
    switch (way) {
      case TENANT -> {}
      case BATCH -> query.bind("batch", filter.batch()).bind("user", filter.user());
      case USER -> query.bind("user", filter.user());
    }
    return query
        .bind("tenant", tenant)
        .bindArray("states", String.class, filter.states().stream().map(State::label).toList())
        .bind("effect", filter.effect())
        .bind("error_code", filter.errorCode())
        .bind("created_after", filter.createdAfter())
        .bind("created_before", filter.createdBefore());
  }

  /** The inputs of these jobs, as JSON texts. */
  public Map<UUID, String> inputs(int tenant, List<UUID> jobs) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(INPUTS)
            .bind("tenant", tenant)
            .bindArray("jobs", UUID.class, jobs)
            .map((row, _) -> Map.entry(row.getObject("job_id", UUID.class), row.getString("input")))
            .stream()
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
  }
}
