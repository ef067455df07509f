package dev.millrace.postgres.fleet;

import dev.millrace.engine.port.Signal;
import dev.millrace.postgres.notify.SignalText;
import dev.millrace.postgres.notify.Wakeups;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jspecify.annotations.Nullable;

/**
 * The fleet's workers: registered, looked up by token, administered, forgotten. Whatever changes
 * one wakes its polls on every node by its uid, so that they look again.
 */
public final class Workers {

  private static final String COLUMNS =
      """
      w.id, w.uid, w.max_concurrency, w.providers, w.capabilities, w.registered_at,
          w.last_seen_at, w.approved_at, w.draining_at, w.revoked_at,
          w.not_ready_reason, w.not_ready_since, array(
              select a.workflow_id
              from worker_workflow a
              where a.worker_id = w.id
              order by a.workflow_id) as workflow_ids\
      """;

  private static final String HELD =
      """
      (
              select count(*)
              from dispatch d
              where d.worker = w.id
                and d.lease_token is not null) as held\
      """;

  private static final String BY_TOKEN =
      """
      select %s, 0 as held
      from worker w
      where w.token_hash = decode(:hash, 'hex')
      """
          .formatted(COLUMNS);

  private static final String FIND =
      """
      select %s, %s
      from worker w
      where w.id = :id
      """
          .formatted(COLUMNS, HELD);

  private static final String LIST =
      """
      select %s, %s
      from worker w
      where (cast(:after as text) is null or w.id > :after)
      order by w.id
      limit :limit
      """
          .formatted(COLUMNS, HELD);

  /** One registration at a time, so that the cap holds whoever registers where. */
  private static final String REGISTER_ALONE =
      """
      select pg_advisory_xact_lock(hashtext('millrace.register'))
      """;

  private static final String COUNT =
      """
      select count(*)
      from worker
      where revoked_at is null
      """;

  private static final String INSERT =
      """
      insert into worker (
          id, uid, token_hash, max_concurrency, providers, capabilities, approved_at)
      values (
          :id, :uid, decode(:hash, 'hex'), :max, cast(:providers as text[]),
          cast(:capabilities as jsonb), case when :approved then clock_timestamp() end)
      """;

  private static final String ASSIGN =
      """
      insert into worker_workflow (worker_id, workflow_id)
      select :id, w
      from unnest(cast(:workflows as int[])) as w
      on conflict do nothing
      """;

  private static final String UNASSIGN =
      """
      delete from worker_workflow
      where worker_id = :id
      """;

  private static final String APPROVE =
      """
      update worker
      set approved_at = coalesce(approved_at, clock_timestamp())
      where id = :id
      """;

  private static final String DRAIN =
      """
      update worker
      set draining_at = coalesce(draining_at, clock_timestamp())
      where id = :id
      """;

  private static final String RESUME =
      """
      update worker
      set draining_at = null
      where id = :id
      """;

  private static final String REVOKE =
      """
      update worker
      set revoked_at = coalesce(revoked_at, clock_timestamp())
      where id = :id
      """;

  private static final String SAY_READINESS =
      """
      update worker
      set not_ready_reason = :reason,
          not_ready_since =
              case when cast(:reason as text) is not null then coalesce(not_ready_since, clock_timestamp()) end
      where id = :id
      """;

  private static final String ROTATE =
      """
      update worker
      set token_hash = decode(:hash, 'hex')
      where id = :id
      """;

  private static final String DELETE =
      """
      delete from worker
      where id = :id
        and uid = :uid
      """;

  /** Waits for nobody: who is locked is leasing just now, and will be seen again. */
  private static final String SEEN =
      """
      update worker w
      set last_seen_at = clock_timestamp()
      from (
          select s.id
          from worker s
          where s.id = any (cast(:ids as text[]))
          for no key update skip locked) seen
      where w.id = seen.id
      """;

  private static final String SILENT =
      """
      select %s, 0 as held
      from worker w
      where w.last_seen_at < clock_timestamp() - cast(:silence as bigint) * interval '1 ms'
        and w.revoked_at is null
      order by w.id
      limit :limit
      """
          .formatted(COLUMNS);

  private static final String NOTIFY = "select pg_notify(:channel, :signal)";

  private static final RowMapper<WorkerView> VIEW = (row, _) -> view(row);

  private final Jdbi jdbi;

  public Workers(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * What is stored of a new worker.
   *
   * @param hash SHA-256 of its token, in hexadecimal
   */
  public record NewWorker(
      String id,
      UUID uid,
      String hash,
      int maxConcurrency,
      @Nullable Set<String> providers,
      String capabilities,
      Collection<Integer> workflowIds,
      boolean approved) {}

  /** How a registration ended. */
  public sealed interface Registration {
    record Registered(WorkerView worker) implements Registration {}

    /** The fleet has as many workers as it may have. */
    record Full(int most) implements Registration {}

    /** The name is taken. */
    record Taken(WorkerView by) implements Registration {}
  }

  public Registration register(NewWorker worker, int most) {
    return jdbi.inTransaction(handle -> {
      handle.createQuery(REGISTER_ALONE).mapToMap().list();
      Optional<WorkerView> taken = find(handle, worker.id());
      if (taken.isPresent()) {
        return new Registration.Taken(taken.get());
      }
      if (handle.createQuery(COUNT).mapTo(Integer.class).one() >= most) {
        return new Registration.Full(most);
      }
      Set<String> providers = worker.providers();
      handle
          .createUpdate(INSERT)
          .bind("id", worker.id())
          .bind("uid", worker.uid())
          .bind("hash", worker.hash())
          .bind("max", worker.maxConcurrency())
          .bindArray(
              "providers", String.class, providers == null ? null : (Object[]) names(providers))
          .bind("capabilities", worker.capabilities())
          .bind("approved", worker.approved())
          .execute();
      assign(handle, worker.id(), worker.workflowIds());
      return new Registration.Registered(find(handle, worker.id()).orElseThrow());
    });
  }

  private static String[] names(Set<String> names) {
    return names.stream().sorted().toArray(String[]::new);
  }

  private static void assign(Handle handle, String id, Collection<Integer> workflowIds) {
    handle
        .createUpdate(ASSIGN)
        .bind("id", id)
        .bindArray("workflows", Integer.class, workflowIds)
        .execute();
  }

  /** The worker whose token has this hash, revoked or not. */
  public Optional<WorkerView> byToken(String hash) {
    return jdbi.withHandle(
        handle -> handle.createQuery(BY_TOKEN).bind("hash", hash).map(VIEW).findOne());
  }

  public Optional<WorkerView> find(String id) {
    return jdbi.withHandle(handle -> find(handle, id));
  }

  private static Optional<WorkerView> find(Handle handle, String id) {
    return handle.createQuery(FIND).bind("id", id).map(VIEW).findOne();
  }

  /** By name, after this one. */
  public List<WorkerView> list(@Nullable String after, int limit) {
    return jdbi.withHandle(handle ->
        handle.createQuery(LIST).bind("after", after).bind("limit", limit).map(VIEW).list());
  }

  /** What can be changed about a worker with one word. */
  public enum Change {
    APPROVE(Workers.APPROVE),
    DRAIN(Workers.DRAIN),
    RESUME(Workers.RESUME),
    REVOKE(Workers.REVOKE);

    private final String sql;

    Change(String sql) {
      this.sql = sql;
    }
  }

  /** The worker after the change; empty if there is none of this name. */
  public Optional<WorkerView> change(String id, Change change) {
    return changed(id, handle -> handle.createUpdate(change.sql).bind("id", id).execute());
  }

  /** The worker said why it can't run anything now; null if it can. */
  public Optional<WorkerView> ready(String id, @Nullable String reason) {
    return changed(
        id,
        handle ->
            handle.createUpdate(SAY_READINESS).bind("id", id).bind("reason", reason).execute());
  }

  /** Gives it another token; the old one is dead. */
  public Optional<WorkerView> rotate(String id, String hash) {
    return changed(
        id, handle -> handle.createUpdate(ROTATE).bind("id", id).bind("hash", hash).execute());
  }

  /** Assigns it to exactly these workflows. */
  public Optional<WorkerView> reassign(String id, Collection<Integer> workflowIds) {
    return changed(
        id,
        handle -> {
          handle.createUpdate(UNASSIGN).bind("id", id).execute();
          assign(handle, id, workflowIds);
        });
  }

  private Optional<WorkerView> changed(String id, Consumer<Handle> change) {
    return jdbi.inTransaction(handle -> {
      if (find(handle, id).isEmpty()) {
        return Optional.empty();
      }
      change.accept(handle);
      Optional<WorkerView> after = find(handle, id);
      after.ifPresent(worker -> wake(handle, worker.uid()));
      return after;
    });
  }

  /** Forgets it; false if it is gone already. */
  public boolean delete(WorkerView worker) {
    return jdbi.inTransaction(handle -> {
      int gone =
          handle.createUpdate(DELETE).bind("id", worker.id()).bind("uid", worker.uid()).execute();
      wake(handle, worker.uid());
      return gone > 0;
    });
  }

  private static void wake(Handle handle, UUID uid) {
    handle
        .createQuery(NOTIFY)
        .bind("channel", Wakeups.CHANNEL)
        .bind("signal", SignalText.write(Signal.ofWorker(uid)))
        .mapToMap()
        .one();
  }

  /** These were heard of just now. */
  public void seen(Collection<String> ids) {
    if (!ids.isEmpty()) {
      jdbi.useHandle(
          handle -> handle.createUpdate(SEEN).bindArray("ids", String.class, ids).execute());
    }
  }

  /** Those that were not heard of for so long, at most {@code limit}. */
  public List<WorkerView> silent(Duration silence, int limit) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(SILENT)
            .bind("silence", silence.toMillis())
            .bind("limit", limit)
            .map(VIEW)
            .list());
  }

  private static WorkerView view(ResultSet row) throws SQLException {
    Array providers = row.getArray("providers");
    return new WorkerView(
        row.getString("id"),
        Objects.requireNonNull(row.getObject("uid", UUID.class)),
        new WorkerView.Capacity(
            row.getInt("max_concurrency"),
            providers == null ? null : Set.of((String[]) providers.getArray()),
            row.getString("capabilities")),
        new WorkerView.Presence(
            Objects.requireNonNull(time(row, "registered_at")),
            Objects.requireNonNull(time(row, "last_seen_at"))),
        new WorkerView.Approval(
            time(row, "approved_at"), time(row, "draining_at"), time(row, "revoked_at")),
        new WorkerView.Readiness(row.getString("not_ready_reason"), time(row, "not_ready_since")),
        List.of((Integer[]) row.getArray("workflow_ids").getArray()),
        row.getInt("held"));
  }

  private static @Nullable Instant time(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }
}
