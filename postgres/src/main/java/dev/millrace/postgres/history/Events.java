package dev.millrace.postgres.history;

import dev.millrace.engine.job.JobId;
import dev.millrace.postgres.records.Lookup;
import dev.millrace.postgres.records.RecordMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;

/** Reads a job's history from a cursor on. */
public final class Events implements AutoCloseable {

  /** The most that {@link #next} answers: few, because hundreds may ask in one query. */
  public static final int MOST_NEXT = 100;

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

  /** Each cursor by the key, so that a batch costs what its rows cost. */
  private static final String NEXT =
      """
      select k.place, e.seq, e.trigger, e.from_state, e.state, e.progress, e.step, e.message,
          e.summary, e.attempt, e.at
      from unnest(cast(:tenants as int[]), cast(:jobs as uuid[]), cast(:cursors as int[]))
          with ordinality as k (tenant_id, job_id, seq, place)
      cross join lateral (
          select *
          from job_event
          where tenant_id = k.tenant_id
            and job_id = k.job_id
            and seq > k.seq
          order by seq
          limit :limit) e
      order by k.place, e.seq
      """;

  private static final String ARCHIVED =
      """
      select history_begins() > :job
      """;

  private record Cursor(JobId job, int after) {}

  private final Jdbi jdbi;
  private final Lookup<Cursor, List<EventView>> lookup;

  public Events(Jdbi jdbi) {
    this.jdbi = jdbi;
    this.lookup = new Lookup<>("next-events", this::nextOfAll);
  }

  /**
   * What follows this cursor, in order: all of it if it is less than {@link #MOST_NEXT}. Asked in
   * one query with all who ask at this moment, as the many do whom one commit wakes.
   */
  public List<EventView> next(JobId job, int after) {
    return lookup.find(new Cursor(job, after)).orElse(List.of());
  }

  private List<Lookup.Found<List<EventView>>> nextOfAll(List<Cursor> cursors) {
    List<Lookup.Found<EventView>> rows =
        jdbi.withHandle(handle ->
            handle
                .createQuery(NEXT)
                .bindArray(
                    "tenants", Integer.class, cursors.stream().map(c -> c.job.tenant()).toList())
                .bindArray("jobs", UUID.class, cursors.stream().map(c -> c.job.uuid()).toList())
                .bindArray("cursors", Integer.class, cursors.stream().map(Cursor::after).toList())
                .bind("limit", MOST_NEXT)
                .map(RecordMapper.of(EventView.class).found())
                .list());
    List<Lookup.Found<List<EventView>>> found = new ArrayList<>();
    int place = 0;
    for (Lookup.Found<EventView> row : rows) {
      if (row.place() != place) {
        place = row.place();
        found.add(new Lookup.Found<>(place, new ArrayList<>()));
      }
      found.getLast().value().add(row.value());
    }
    return found;
  }

  @Override
  public void close() {
    lookup.close();
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
