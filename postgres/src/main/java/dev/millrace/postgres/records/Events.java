package dev.millrace.postgres.records;

import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.mapper.reflect.ConstructorMapper;

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
            .map(ConstructorMapper.of(EventView.class))
            .list());
  }
}
