package dev.millrace.postgres.records;

import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;

/** Reads a job's history from a cursor on. */
public final class Events {

  private static final String AFTER =
      """
      select seq, trigger, from_state, state, progress, step, message, summary, attempt, at
      from job_event
      where tenant_id = :tenant
        and job_id = :job
        and seq > :after
      order by seq
      limit :limit
      """;

  private static final String ARCHIVED =
      """
      select history_begins() > :job
      """;

  private final Jdbi jdbi;

  public Events(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  public List<EventView> after(int tenant, UUID job, int after, int limit) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(AFTER)
            .bind("tenant", tenant)
            .bind("job", job)
            .bind("after", after)
            .bind("limit", limit)
            .map(RecordMapper.of(EventView.class))
            .list());
  }

  /** True if the month of this job was archived, so that its events may be gone. */
  public boolean archived(UUID job) {
    return jdbi.withHandle(
        handle -> handle.createQuery(ARCHIVED).bind("job", job).mapTo(Boolean.class).one());
  }
}
