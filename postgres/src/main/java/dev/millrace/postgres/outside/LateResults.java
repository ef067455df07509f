package dev.millrace.postgres.outside;

import dev.millrace.engine.job.JobId;
import dev.millrace.postgres.records.RecordMapper;
import java.util.Optional;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.SqlStatement;

/** Results that came too late, kept apart until somebody wants them. */
public final class LateResults {

  private static final String KEEP =
      """
      insert into late_result (tenant_id, job_id, number, files, summary, received_at)
      values (:tenant, :job, :attempt, cast(:files as jsonb), cast(:summary as jsonb),
          clock_timestamp())
      on conflict do nothing
      """;

  private static final String FIND =
      """
      select tenant_id, job_id, number as attempt, files, summary, received_at, state, decided_at,
          actor
      from late_result
      where tenant_id = :tenant
        and job_id = :job
        and state = :state
      order by number desc
      limit 1
      """;

  private static final String EXISTS =
      """
      select exists (
          select 1
          from late_result
          where tenant_id = :tenant
            and job_id = :job
            and number = :attempt)
      """;

  private static final String ADOPT =
      """
      update late_result
      set state = 'adopted',
          decided_at = clock_timestamp(),
          actor = :actor
      where tenant_id = :tenant
        and job_id = :job
        and number = :attempt
        and state = 'kept'
      """;

  private static final String PUT_BACK =
      """
      update late_result
      set state = 'kept',
          decided_at = null,
          actor = null
      where tenant_id = :tenant
        and job_id = :job
        and number = :attempt
        and state = 'adopted'
      """;

  private final Jdbi jdbi;

  public LateResults(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** False if it was there before. */
  public boolean keep(JobId job, int attempt, String files, String summary) {
    return jdbi.withHandle(handle ->
        at(handle.createUpdate(KEEP), job)
            .bind("attempt", attempt)
            .bind("files", files)
            .bind("summary", summary)
            .execute())
        > 0;
  }

  public boolean exists(JobId job, int attempt) {
    return jdbi.withHandle(handle ->
        at(handle.createQuery(EXISTS), job).bind("attempt", attempt).mapTo(Boolean.class).one());
  }

  /** The newest that waits for somebody to want it. */
  public Optional<LateResultView> kept(JobId job) {
    return find(job, LateResultState.KEPT);
  }

  /** The newest that somebody wants. */
  public Optional<LateResultView> adopted(JobId job) {
    return find(job, LateResultState.ADOPTED);
  }

  private Optional<LateResultView> find(JobId job, LateResultState state) {
    return jdbi.withHandle(handle ->
        at(handle.createQuery(FIND), job)
            .bind("state", state.label())
            .map(RecordMapper.of(LateResultView.class))
            .findOne());
  }

  /** False if somebody else was first. */
  public boolean adopt(JobId job, int attempt, String actor) {
    return jdbi.withHandle(handle ->
        at(handle.createUpdate(ADOPT), job).bind("attempt", attempt).bind("actor", actor).execute())
        > 0;
  }

  /** It could not be paid for after all. */
  public void putBack(JobId job, int attempt) {
    jdbi.useHandle(
        handle -> at(handle.createUpdate(PUT_BACK), job).bind("attempt", attempt).execute());
  }

  private static <S extends SqlStatement<S>> S at(S statement, JobId job) {
    return statement.bind("tenant", job.tenant()).bind("job", job.uuid());
  }
}
