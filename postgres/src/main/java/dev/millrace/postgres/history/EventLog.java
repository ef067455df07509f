package dev.millrace.postgres.history;

import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.records.RecordMapper;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;

/**
 * The events of all jobs, in the order of their times.
 *
 * <p>An event's time is read before its transaction commits, so an event can become visible after
 * one with a later time. Whoever reads in the order of time must stop at the <em>horizon</em>: the
 * start of the oldest transaction that writes now, or the present if there is none. What comes to
 * light later is not older than that. A transaction that has written nothing yet, such as a backup
 * or a report, has no part in it: the engine locks a row, and so counts as a writer, before it
 * reads the clock.
 */
public final class EventLog {

  private static final String CLOCK =
      """
      select clock_timestamp()
      """;

  /** Asked after the clock was read. */
  private static final String OLDEST_WRITER =
      """
      select min(xact_start)
      from pg_stat_activity
      where datname = current_database()
        and backend_xid is not null
        and backend_type = 'client backend'
        and pid <> pg_backend_pid()
      """;

  private static final String COLUMNS =
      """
      e.tenant_id, e.job_id, e.seq, e.trigger, e.from_state, e.state, e.progress, e.attempt, e.at,
          case
              when e.state in ('pending', 'failed', 'dead_letter', 'rejected', 'expired', 'blocked')
              then (
                  select j.error_code
                  from job j
                  where j.tenant_id = e.tenant_id
                    and j.id = e.job_id
                    and j.events = e.seq)
          end as error_code\
      """;

  public static final String BETWEEN =
      """
      select %s
      from job_event e
      where e.at >= :from
        and e.at < :before
        and e.tenant_id = any (cast(:tenants as int[]))
        and (e.trigger is not null or :progress)
      """
          .formatted(COLUMNS);

  private static final String AFTER =
      """
      select %s
      from job_event e
      where e.at >= :from
        and e.at < :before
        and e.tenant_id = :tenant
        and (e.at, e.job_id, e.seq) > (:from, :job, :seq)
      order by e.at, e.job_id, e.seq
      limit :limit
      """
          .formatted(COLUMNS);

  private static final String RANGES =
      """
      select cast(x.inhrelid as bigint) as index_oid,
          pg_relation_size(i.indrelid) / (current_setting('block_size')::bigint * 32) as whole
      from pg_inherits x
      join pg_index i on i.indexrelid = x.inhrelid
      where x.inhparent = cast('job_event_at' as regclass)
      """;

  private static final String SUMMARIZE =
      """
      select brin_summarize_range(cast(cast(:index as oid) as regclass), :range * 32)
      """;

  /** How far back a node looks that has just started: a quarter of a gigabyte of events. */
  private static final long RECENT = 1_024;

  private final Jdbi jdbi;

  public EventLog(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * An event as those outside may hear of it.
   *
   * @param errorCode of the job, if nothing has happened to it since
   */
  public record Entry(
      int tenantId,
      UUID jobId,
      int seq,
      Change change,
      int progress,
      int attempt,
      Instant at,
      @Nullable String errorCode) {}

  /**
   * What changed.
   *
   * @param trigger null for a report of progress
   * @param fromState null for the first
   */
  public record Change(@Nullable String trigger, @Nullable State fromState, State state) {}

  /** A place between two events. */
  public record Place(Instant at, UUID job, int seq) {

    private static final UUID NO_JOB = new UUID(0, 0);

    /** Before everything that happened at this time. */
    public static Place before(Instant at) {
      return new Place(at, NO_JOB, 0);
    }
  }

  /** Events of one tenant, and where to go on. */
  public record Page(List<Entry> entries, Place next) {
    public Page {
      entries = List.copyOf(entries);
    }
  }

  /** The present, as far as it is settled. */
  public record Times(Instant now, Instant horizon) {}

  /** What a new reader begins with. */
  public Place now() {
    return Place.before(jdbi.withHandle(EventLog::times).horizon());
  }

  /** What a tenant's jobs went through after this place. */
  public Page after(int tenant, Place place, int limit) {
    return jdbi.inTransaction(handle -> {
      Instant horizon = times(handle).horizon();
      byTime(handle);
      List<Entry> entries =
          handle
              .createQuery(AFTER)
              .bind("tenant", tenant)
              .bind("from", place.at())
              .bind("before", horizon)
              .bind("job", place.job())
              .bind("seq", place.seq())
              .bind("limit", limit)
              .map(RecordMapper.of(Entry.class))
              .list();
      if (entries.size() == limit) {
        Entry last = entries.getLast();
        return new Page(entries, new Place(last.at(), last.jobId(), last.seq()));
      }
      return new Page(entries, horizon.isAfter(place.at()) ? Place.before(horizon) : place);
    });
  }

  /**
   * Lets the index know the times of pages that are full, so that a reader passes over them.
   *
   * @param done for each index, the ranges that this node knows to be summarised
   */
  public void summarize(Map<Long, Long> done) {
    List<Ranges> all =
        jdbi.withHandle(handle ->
            handle
                .createQuery(RANGES)
                .map((row, _) -> new Ranges(row.getLong("index_oid"), row.getLong("whole")))
                .list());
    for (Ranges ranges : all) {
      long first = done.getOrDefault(ranges.indexOid(), Math.max(0, ranges.whole() - RECENT));
      if (first < ranges.whole() && summarize(ranges, first)) {
        done.put(ranges.indexOid(), ranges.whole());
      }
    }
  }

  private record Ranges(long indexOid, long whole) {}

  /** False if somebody else, most likely a vacuum, is at it. Waiting longer would stop a vacuum. */
  private boolean summarize(Ranges ranges, long first) {
    try {
      jdbi.useTransaction(handle -> {
        handle.execute("set local lock_timeout = '100ms'");
        for (long range = first; range < ranges.whole(); range++) {
          handle
              .createQuery(SUMMARIZE)
              .bind("index", ranges.indexOid())
              .bind("range", range)
              .mapTo(Integer.class)
              .one();
        }
      });
      return true;
    } catch (JdbiException e) {
      if (!History.busy(e)) {
        throw e;
      }
      return false;
    }
  }

  /**
   * Statistics are always older than the newest events; nobody is to read the whole log for them.
   */
  public static void byTime(Handle handle) {
    handle.execute("set local enable_seqscan = off");
  }

  /** The clock is read first: who began to write since then writes later times. */
  public static Times times(Handle handle) {
    Instant now = handle.createQuery(CLOCK).mapTo(Instant.class).one();
    Instant oldest = handle.createQuery(OLDEST_WRITER).mapTo(Instant.class).findOne().orElse(now);
    return new Times(now, oldest.isBefore(now) ? oldest : now);
  }
}
