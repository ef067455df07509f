package dev.millrace.postgres.jobs;

import dev.millrace.postgres.records.RecordMapper;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/**
 * Tasks on many jobs: made, claimed by one node at a time, moved on page by page. A claim is proved
 * by its exact end: whoever's claim ran out and was taken over can't count anything any more.
 */
public final class Tasks {

  private static final String COLUMNS =
      """
      tenant_id, id, action, filter, state, actor, newest, cursor, seen, done, skipped, failed,
          credits, claimed_until, created_at, finished_at\
      """;

  private static final String CREATE =
      """
      with made as (
          insert into task (tenant_id, id, action, filter, state, actor, newest, created_at)
          values (:tenant, :id, :action, cast(:filter as jsonb), 'running', :actor,
              coalesce((
                  select id
                  from job
                  where tenant_id = :tenant
                  order by id desc
                  limit 1), '00000000-0000-0000-0000-000000000000'),
              clock_timestamp())
          returning *),
      audited as (
          insert into audit (tenant_id, actor, action, target, detail)
          select tenant_id, actor, 'task.create', cast(id as text),
              jsonb_build_object('action', action, 'filter', filter)
          from made)
      select %s
      from made
      """
          .formatted(COLUMNS);

  private static final String FIND =
      """
      select %s
      from task
      where tenant_id = :tenant
        and id = :id
      """
          .formatted(COLUMNS);

  private static final String LIST =
      """
      select %s
      from task
      where tenant_id = :tenant
        and (cast(:before as uuid) is null or id < :before)
      order by id desc
      limit :limit
      """
          .formatted(COLUMNS);

  private static final String STOP =
      """
      with stopped as (
          update task
          set state = 'stopping'
          where tenant_id = :tenant
            and id = :id
            and state = 'running'
          returning *),
      audited as (
          insert into audit (tenant_id, actor, action, target)
          select tenant_id, :actor, 'task.stop', cast(id as text)
          from stopped)
      select %s
      from stopped
      """
          .formatted(COLUMNS);

  /** The one that has waited longest, so that a long task does not keep the others waiting. */
  private static final String CLAIM =
      """
      update task
      set claimed_until = clock_timestamp() + interval '30 s'
      where (tenant_id, id) = (
          select tenant_id, id
          from task
          where finished_at is null
            and (claimed_until is null or claimed_until <= clock_timestamp())
          order by claimed_until nulls first, created_at
          limit 1
          for update skip locked)
      returning %s
      """
          .formatted(COLUMNS);

  private static final String ADVANCE =
      """
      update task
      set cursor = :cursor,
          seen = seen + :seen,
          done = done + :done,
          skipped = skipped + :skipped,
          failed = failed + :failed,
          credits = credits + :credits,
          claimed_until = clock_timestamp() + interval '30 s'
      where tenant_id = :tenant
        and id = :id
        and claimed_until = :claim
      returning %s
      """
          .formatted(COLUMNS);

  private static final String RELEASE =
      """
      update task
      set claimed_until = clock_timestamp()
      where tenant_id = :tenant
        and id = :id
        and claimed_until = :claim
      """;

  private static final String FINISH =
      """
      with finished as (
          update task
          set state = :state,
              claimed_until = null,
              finished_at = clock_timestamp()
          where tenant_id = :tenant
            and id = :id
            and claimed_until = :claim
          returning *)
      insert into audit (tenant_id, actor, action, target, detail)
      select tenant_id, actor, 'task.finish', cast(id as text),
          jsonb_build_object('state', state, 'seen', seen, 'done', done, 'skipped', skipped,
              'failed', failed, 'credits', credits)
      from finished
      """;

  private final Jdbi jdbi;

  public Tasks(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** What is to be done to which jobs, by whom. */
  public record NewTask(int tenant, UUID id, String action, String filter, String actor) {}

  /**
   * What a page came to.
   *
   * @param cursor the last job that it covers
   */
  public record Page(UUID cursor, int seen, int done, int skipped, int failed, long credits) {}

  public TaskView create(NewTask task) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(CREATE)
            .bind("tenant", task.tenant())
            .bind("id", task.id())
            .bind("action", task.action())
            .bind("filter", task.filter())
            .bind("actor", task.actor())
            .map(RecordMapper.of(TaskView.class))
            .one());
  }

  public Optional<TaskView> find(int tenant, UUID id) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(FIND)
            .bind("tenant", tenant)
            .bind("id", id)
            .map(RecordMapper.of(TaskView.class))
            .findOne());
  }

  /** The newest first. */
  public List<TaskView> list(int tenant, @Nullable UUID before, int limit) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(LIST)
            .bind("tenant", tenant)
            .bind("before", before)
            .bind("limit", limit)
            .map(RecordMapper.of(TaskView.class))
            .list());
  }

  /** Asks a running task to stop; nothing if it is not running. */
  public Optional<TaskView> stop(int tenant, UUID id, String actor) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(STOP)
            .bind("tenant", tenant)
            .bind("id", id)
            .bind("actor", actor)
            .map(RecordMapper.of(TaskView.class))
            .findOne());
  }

  /** Takes a task that nobody works on, of any tenant, for 30 seconds. */
  public Optional<TaskView> claim() {
    return jdbi.withHandle(
        handle -> handle.createQuery(CLAIM).map(RecordMapper.of(TaskView.class)).findOne());
  }

  /** Counts a page and claims for 30 seconds more; nothing if the claim was lost. */
  public Optional<TaskView> advance(TaskView task, Page page) {
    return jdbi.withHandle(handle ->
        claimed(handle.createQuery(ADVANCE), task)
            .bind("cursor", page.cursor())
            .bind("seen", page.seen())
            .bind("done", page.done())
            .bind("skipped", page.skipped())
            .bind("failed", page.failed())
            .bind("credits", page.credits())
            .map(RecordMapper.of(TaskView.class))
            .findOne());
  }

  /** Lets go of a task that goes on later; others may take it at once. */
  public void release(TaskView task) {
    jdbi.useHandle(handle -> claimed(handle.createUpdate(RELEASE), task).execute());
  }

  /**
   * Ends a task; nothing happens if the claim was lost.
   *
   * @param state done, or stopped
   */
  public void finish(TaskView task, TaskState state) {
    jdbi.useHandle(handle ->
        claimed(handle.createUpdate(FINISH), task).bind("state", state.label()).execute());
  }

  private static <S extends SqlStatement<S>> S claimed(S statement, TaskView task) {
    return statement
        .bind("tenant", task.tenantId())
        .bind("id", task.id())
        .bind("claim", task.claimedUntil());
  }
}
