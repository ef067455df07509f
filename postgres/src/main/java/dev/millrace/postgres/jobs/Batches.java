package dev.millrace.postgres.jobs;

import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.records.RecordMapper;
import dev.millrace.postgres.requests.RequestLists;
import dev.millrace.postgres.tenants.Visibility;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Looks at batches, and counts their jobs. */
public final class Batches {

  private static final String COLUMNS =
      "b.tenant_id, b.id, w.user_id, b.atomic, b.size, b.workspace, b.created_at";

  private static final String FIND =
      """
      select %s
      from batch b
      join wallet w on w.id = b.wallet_id
      where b.tenant_id = :tenant
        and b.id = :id
        and (cast(:user as text) is null or w.user_id = :user)
        and (cast(:workspace as text) is null or b.workspace = :workspace)
      """
          .formatted(COLUMNS);

  private static final String OF_TENANT =
      """
      select %s
      from batch b
      join wallet w on w.id = b.wallet_id
      where b.tenant_id = :tenant
        and (cast(:workspace as text) is null or b.workspace = :workspace)
        and (cast(:before as uuid) is null or b.id < :before)
      order by b.id desc
      limit :limit
      """
          .formatted(COLUMNS);

  private static final String OF_USER =
      """
      select %s
      from batch b
      join wallet w on w.id = b.wallet_id
      where b.wallet_id = (
          select id
          from wallet
          where tenant_id = :tenant
            and user_id = :user)
        and (cast(:workspace as text) is null or b.workspace = :workspace)
        and (cast(:before as uuid) is null or b.id < :before)
      order by b.id desc
      limit :limit
      """
          .formatted(COLUMNS);

  private static final String KEY_USE =
      """
      select b.id, b.fingerprint
      from batch b
      join wallet w on w.id = b.wallet_id
      where w.tenant_id = :tenant
        and w.user_id = :user
        and b.idempotency_key = :key
      """;

  private static final String COUNT =
      """
      select batch_id, state, count(*) as jobs, sum(held) as held, sum(captured) as captured,
          sum(case when hold_open then 0 else held - captured end) as refunded
      from job
      where tenant_id = :tenant
        and batch_id = any (:batches)
      group by batch_id, state
      """;

  private static final String MEMBERS =
      """
      select id, fingerprint, state, error_code, error_message
      from job
      where tenant_id = :tenant
        and batch_id = :batch
      order by id
      """;

  private static final String IN_VAIN =
      """
      select j.id, e.slug as effect, w.user_id, j.priority, j.workspace, i.notes, i.input
      from job j
      join wallet w on w.id = j.wallet_id
      join effect e on e.id = j.effect_id
      join job_input i on i.tenant_id = j.tenant_id and i.job_id = j.id
      where j.tenant_id = :tenant
        and j.batch_id = :batch
        and j.state = any (cast(:states as job_state[]))
        and j.deleted_at is null
      order by j.id
      """;

  private final Jdbi jdbi;

  public Batches(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** Files of requests that become jobs one by one, which are no batches: those come at once. */
  public RequestLists requestLists() {
    return new RequestLists(jdbi);
  }

  /** How many jobs are in which state, and what became of their credits. */
  public record Counts(SortedMap<State, Long> states, long held, long captured, long refunded) {
    public static final Counts NONE =
        new Counts(new TreeMap<>(Comparator.comparing(State::label)), 0, 0, 0);

    private Counts plus(State state, long jobs, long held, long captured, long refunded) {
      SortedMap<State, Long> more = new TreeMap<>(states);
      more.merge(state, jobs, Long::sum);
      return new Counts(more, this.held + held, this.captured + captured, this.refunded + refunded);
    }
  }

  /** Which batch used an idempotency key, and for which request. */
  public record KeyUse(UUID id, String fingerprint) {}

  /** A job of a batch, with what tells which of the requests it came from. */
  public record Member(
      UUID id,
      String fingerprint,
      State state,
      @Nullable String errorCode,
      @Nullable String errorMessage) {}

  /** A job that ended badly, with what is needed to ask for it again. */
  public record InVain(
      UUID id,
      String effect,
      String userId,
      int priority,
      @Nullable String workspace,
      @Nullable String notes,
      String input) {}

  /** Finds a batch that somebody may see. */
  public Optional<BatchView> find(Visibility whose, UUID id) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(FIND)
            .bind("tenant", whose.tenant())
            .bind("user", whose.user())
            .bind("workspace", whose.workspace())
            .bind("id", id)
            .map(RecordMapper.of(BatchView.class))
            .findOne());
  }

  /**
   * The newest first.
   *
   * @param before the last id of the page before, or null
   */
  public List<BatchView> list(Visibility whose, @Nullable UUID before, int limit) {
    return jdbi.withHandle(handle ->
        (whose.user() == null
                ? handle.createQuery(OF_TENANT)
                : handle.createQuery(OF_USER).bind("user", whose.user()))
            .bind("tenant", whose.tenant())
            .bind("workspace", whose.workspace())
            .bind("before", before)
            .bind("limit", limit)
            .map(RecordMapper.of(BatchView.class))
            .list());
  }

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

  public Counts count(int tenant, UUID batch) {
    return count(tenant, List.of(batch)).getOrDefault(batch, Counts.NONE);
  }

  /** What there is now in each of these; a batch without jobs is left out. */
  public Map<UUID, Counts> count(int tenant, Collection<UUID> batches) {
    Map<UUID, Counts> counts = new HashMap<>();
    jdbi.useHandle(handle ->
        handle
            .createQuery(COUNT)
            .bind("tenant", tenant)
            .bindArray("batches", UUID.class, batches)
            .map((row, _) ->
                counts.merge(
                    row.getObject("batch_id", UUID.class),
                    Counts.NONE.plus(
                        State.ofLabel(row.getString("state")),
                        row.getLong("jobs"),
                        row.getLong("held"),
                        row.getLong("captured"),
                        row.getLong("refunded")),
                    Batches::sum))
            .list());
    return counts;
  }

  private static Counts sum(Counts one, Counts other) {
    State state = other.states().firstKey();
    return one.plus(
        state,
        other.states().getOrDefault(state, 0L),
        other.held(),
        other.captured(),
        other.refunded());
  }

  /** Its jobs in the order in which they were sent. */
  public List<Member> members(int tenant, UUID batch) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(MEMBERS)
            .bind("tenant", tenant)
            .bind("batch", batch)
            .map(RecordMapper.of(Member.class))
            .list());
  }

  /** Its jobs in these states, in the order in which they were sent. */
  public List<InVain> inVain(int tenant, UUID batch, Collection<State> states) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(IN_VAIN)
            .bind("tenant", tenant)
            .bind("batch", batch)
            .bindArray("states", String.class, states.stream().map(State::label).toList())
            .map(RecordMapper.of(InVain.class))
            .list());
  }
}
