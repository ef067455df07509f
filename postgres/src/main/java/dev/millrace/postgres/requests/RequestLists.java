package dev.millrace.postgres.requests;

import dev.millrace.postgres.records.RecordMapper;
import dev.millrace.postgres.tenants.Visibility;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * Lists of requests. Whoever works on one has claimed it for a while, and each of his changes names
 * the claim: once somebody else has it, they change nothing.
 */
public final class RequestLists {

  private static final String COLUMNS =
      """
      tenant_id, id, user_id, workspace, effects, dialect, endpoint, base, metadata, input_file, state, ending, lines,
          read_lines, done, refused, mistakes, output_file, error_file, created_at, began_at, canceling_at,
          finalizing_at, ended_at, expires_at, claim\
      """;

  private static final String CREATE =
      """
      insert into request_list (
          tenant_id, id, user_id, workspace, effects, dialect, endpoint, base, metadata, input_file, expires_at)
      select :tenant, :id, :user, :workspace, cast(:effects as text[]), :dialect, :endpoint, :base, cast(:metadata as jsonb), :file,
          clock_timestamp() + make_interval(secs => :seconds)
      where :most > (
          select count(*)
          from request_list
          where tenant_id = :tenant
            and ended_at is null)
      returning %s
      """
          .formatted(COLUMNS);

  private static final String FIND =
      """
      select %s
      from request_list
      where tenant_id = :tenant
        and id = :id
        and (cast(:user as text) is null or user_id = :user)
        and (cast(:workspace as text) is null or workspace = :workspace)
      """
          .formatted(COLUMNS);

  private static final String LIST =
      """
      select %s
      from request_list
      where tenant_id = :tenant
        and (cast(:user as text) is null or user_id = :user)
        and (cast(:workspace as text) is null or workspace = :workspace)
        and dialect = :dialect
        and (cast(:before as uuid) is null or id < :before)
      order by id desc
      limit :limit
      """
          .formatted(COLUMNS);

  private static final String CLAIM =
      """
      update request_list
      set claim = :claim,
          next_at = clock_timestamp() + make_interval(secs => :seconds)
      where (tenant_id, id) = (
          select tenant_id, id
          from request_list
          where ended_at is null
            and next_at <= (select clock_timestamp())
          order by next_at
          limit 1
          for update skip locked)
      returning %s
      """
          .formatted(COLUMNS);

  private static final String REST =
      """
      update request_list
      set next_at = clock_timestamp() + make_interval(secs => :seconds)
      where tenant_id = :tenant
        and id = :id
        and claim = :claim
      """;

  private static final String BEGIN =
      """
      update request_list
      set state = 'in_progress',
          lines = :lines,
          began_at = clock_timestamp()
      where tenant_id = :tenant
        and id = :id
        and claim = :claim
        and state = 'validating'
      """;

  private static final String FAIL =
      """
      update request_list
      set state = 'failed',
          mistakes = cast(:mistakes as jsonb),
          ended_at = clock_timestamp()
      where tenant_id = :tenant
        and id = :id
        and claim = :claim
        and state = 'validating'
      """;

  private static final String LINES =
      """
      insert into request_list_line (tenant_id, list_id, line, custom_id, job_id, refusal)
      select :tenant, :id, l.line, l.custom_id, l.job_id, l.refusal
      from unnest(
          cast(:lines as int[]), cast(:names as text[]), cast(:jobs as uuid[]), cast(:refusals as text[]))
          as l (line, custom_id, job_id, refusal)
      on conflict do nothing
      """;

  private static final String ADVANCE =
      """
      update request_list
      set read_lines = :read,
          next_at = clock_timestamp() + make_interval(secs => :seconds)
      where tenant_id = :tenant
        and id = :id
        and claim = :claim
        and state = 'in_progress'
      """;

  private static final String STOP =
      """
      update request_list
      set state = 'canceling',
          ending = :ending,
          canceling_at = clock_timestamp(),
          next_at = clock_timestamp()
      where tenant_id = :tenant
        and id = :id
        and state in ('validating', 'in_progress')
      """;

  private static final String EXPIRED =
      """
      select expires_at <= clock_timestamp()
      from request_list
      where tenant_id = :tenant
        and id = :id
      """;

  private static final String FINALIZE =
      """
      update request_list
      set state = 'finalizing',
          finalizing_at = clock_timestamp()
      where tenant_id = :tenant
        and id = :id
        and claim = :claim
        and state in ('in_progress', 'canceling')
      """;

  private static final String END =
      """
      update request_list
      set state = ending,
          done = :done,
          refused = :refused,
          output_file = :output,
          error_file = :error,
          ended_at = clock_timestamp()
      where tenant_id = :tenant
        and id = :id
        and claim = :claim
        and state = 'finalizing'
      """;

  private final Jdbi jdbi;

  public RequestLists(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** A line and what became of it. */
  public record Line(int line, String customId, @Nullable UUID jobId, @Nullable String refusal) {}

  /** How many lines are done, and how many came to nothing. */
  public record Counts(int done, int refused) {}

  /** The lines of lists, and what became of them. */
  public RequestListLines lines() {
    return new RequestListLines(jdbi);
  }

  /** A new list; empty if the tenant has as many under way as it may. */
  public Optional<RequestListView> create(
      UUID id,
      RequestListView.Owner owner,
      RequestListView.Request request,
      Duration life,
      int most) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(CREATE)
            .bind("tenant", owner.tenantId())
            .bind("id", id)
            .bind("user", owner.userId())
            .bind("workspace", owner.workspace())
            .bindArray(
                "effects", String.class, owner.effects() == null ? null : owner.effects().toArray())
            .bind("dialect", request.dialect())
            .bind("endpoint", request.endpoint())
            .bind("base", request.base())
            .bind("metadata", request.metadata())
            .bind("file", request.inputFile())
            .bind("seconds", (double) life.toSeconds())
            .bind("most", most)
            .map(RecordMapper.of(RequestListView.class))
            .findOne());
  }

  public Optional<RequestListView> find(Visibility whose, UUID id) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(FIND)
            .bind("tenant", whose.tenant())
            .bind("user", whose.user())
            .bind("workspace", whose.workspace())
            .bind("id", id)
            .map(RecordMapper.of(RequestListView.class))
            .findOne());
  }

  /** Those of a dialect, the newest first. */
  public List<RequestListView> list(
      Visibility whose, String dialect, @Nullable UUID before, int limit) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(LIST)
            .bind("tenant", whose.tenant())
            .bind("user", whose.user())
            .bind("workspace", whose.workspace())
            .bind("dialect", dialect)
            .bind("before", before)
            .bind("limit", limit)
            .map(RecordMapper.of(RequestListView.class))
            .list());
  }

  /** One that needs work, for whoever asks; nobody else gets it for so long. */
  public Optional<RequestListView> claim(UUID claim, Duration lease) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(CLAIM)
            .bind("claim", claim)
            .bind("seconds", (double) lease.toSeconds())
            .map(RecordMapper.of(RequestListView.class))
            .findOne());
  }

  /** Nothing more is to be done for it now. */
  public void rest(RequestListView list, Duration pause) {
    jdbi.useHandle(
        handle -> claimed(handle, REST, list).bind("seconds", pause.toMillis() / 1000.0).execute());
  }

  public void begin(RequestListView list, int lines) {
    jdbi.useHandle(handle -> claimed(handle, BEGIN, list).bind("lines", lines).execute());
  }

  public void fail(RequestListView list, String mistakes) {
    jdbi.useHandle(handle -> claimed(handle, FAIL, list).bind("mistakes", mistakes).execute());
  }

  /** Stores what became of some lines; false if somebody else works on the list now. */
  public boolean advance(RequestListView list, List<Line> lines, int read, Duration lease) {
    return jdbi.inTransaction(handle -> {
      int moved =
          claimed(handle, ADVANCE, list)
              .bind("read", read)
              .bind("seconds", (double) lease.toSeconds())
              .execute();
      if (moved > 0 && !lines.isEmpty()) {
        handle
            .createUpdate(LINES)
            .bind("tenant", list.tenantId())
            .bind("id", list.id())
            .bindArray("lines", Integer.class, lines.stream().map(Line::line).toList())
            .bindArray("names", String.class, lines.stream().map(Line::customId).toList())
            .bindArray("jobs", UUID.class, lines.stream().map(Line::jobId).toList())
            .bindArray("refusals", String.class, lines.stream().map(Line::refusal).toList())
            .execute();
      }
      return moved > 0;
    });
  }

  /** Reads no more of it, and lets its jobs end. */
  public void stop(int tenant, UUID id, String ending) {
    jdbi.useHandle(handle ->
        handle
            .createUpdate(STOP)
            .bind("tenant", tenant)
            .bind("id", id)
            .bind("ending", ending)
            .execute());
  }

  public boolean expired(RequestListView list) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(EXPIRED)
            .bind("tenant", list.tenantId())
            .bind("id", list.id())
            .mapTo(Boolean.class)
            .one());
  }

  public void finalizing(RequestListView list) {
    jdbi.useHandle(handle -> claimed(handle, FINALIZE, list).execute());
  }

  public void end(
      RequestListView list, Counts counts, @Nullable UUID output, @Nullable UUID error) {
    jdbi.useHandle(handle ->
        claimed(handle, END, list)
            .bind("done", counts.done())
            .bind("refused", counts.refused())
            .bind("output", output)
            .bind("error", error)
            .execute());
  }

  private static org.jdbi.v3.core.statement.Update claimed(
      Handle handle, String sql, RequestListView list) {
    return handle
        .createUpdate(sql)
        .bind("tenant", list.tenantId())
        .bind("id", list.id())
        .bind("claim", list.claim());
  }
}
