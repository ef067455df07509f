package dev.millrace.postgres.jobs;

import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.records.RecordMapper;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * How a tenant's jobs are doing. What is live is counted where only live work is kept; what has
 * ended is counted among the newest jobs, a bounded number of them, so that this costs the same
 * after ten million jobs.
 */
public final class TenantActivity {

  /** As many of the newest jobs are looked at. */
  public static final int MOST = 50_000;

  private static final String LIVE =
      """
      select d.state, count(*) as jobs, min(d.due_at) as oldest,
          count(*) filter (
              where d.state = 'running'
                and j.lease_expires_at < clock_timestamp() + interval '10 s') as endangered
      from dispatch d
      left join job j on d.lease_token is not null
          and j.tenant_id = d.tenant_id
          and j.id = d.job_id
      where d.tenant_id = :tenant
      group by d.state
      order by d.state
      """;

  private static final String RESERVED =
      """
      select coalesce(sum(j.held), 0)
      from dispatch d
      join job j on j.tenant_id = d.tenant_id and j.id = d.job_id
      where d.tenant_id = :tenant
      """;

  private static final String ENDED =
      amongRecent(
          """
          select state, count(*) as jobs
          from recent
          where finished_at is not null
          group by state
          order by state
          """);

  private static final String TIMES =
      amongRecent(
          """
          select count(*) as jobs, coalesce(sum(captured), 0) as consumed,
              coalesce(percentile_cont(0.5) within group (order by
                  extract(epoch from started_at - due_at)), -1)::float8 as wait_p50,
              coalesce(percentile_cont(0.95) within group (order by
                  extract(epoch from started_at - due_at)), -1)::float8 as wait_p95,
              coalesce(percentile_cont(0.5) within group (order by
                  extract(epoch from finished_at - started_at)), -1)::float8 as run_p50,
              coalesce(percentile_cont(0.95) within group (order by
                  extract(epoch from finished_at - started_at)), -1)::float8 as run_p95
          from recent
          """);

  private static final String BEATS =
      amongRecent(
          """
          select floor(extract(epoch from finished_at - cast(:since as timestamptz))
                  / cast(:step as float8))::int as slot,
              count(*) filter (where state = 'completed') as completed,
              count(*) filter (where state <> 'completed') as other,
              coalesce(sum(captured), 0) as credits
          from recent
          where finished_at >= :since
          group by 1
          order by 1
          """);

  private static String amongRecent(String question) {
    return """
    with recent as (
        select j.state, j.captured, j.created_at, j.due_at, j.started_at, j.finished_at
        from job j
        where j.tenant_id = :tenant
          and j.id >= :from
          and j.deleted_at is null
        order by j.id desc
        limit :most)
    %s
    """
        .formatted(question);
  }

  private final Jdbi jdbi;

  public TenantActivity(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * Live jobs in one state.
   *
   * @param oldest since when the oldest could have gone on
   * @param endangered how many have a lease that ends within seconds
   */
  public record Live(State state, long jobs, Instant oldest, long endangered) {}

  /** Jobs that ended in one state. */
  public record Ended(State state, long jobs) {}

  /** Seconds of waiting and running; negative where nothing was measured. */
  public record Times(
      long jobs, long consumed, double waitP50, double waitP95, double runP50, double runP95) {}

  /** What ended in one slot of time. */
  public record Slot(int slot, long completed, long other, long credits) {}

  /** All of it, for jobs that were asked for since then. */
  public record Reading(
      List<Live> live, long reserved, List<Ended> ended, Times times, List<Slot> beats) {
    public Reading {
      live = List.copyOf(live);
      ended = List.copyOf(ended);
      beats = List.copyOf(beats);
    }

    public long live(State state) {
      return live.stream().filter(each -> each.state() == state).mapToLong(Live::jobs).sum();
    }

    public long ended(State state) {
      return ended.stream().filter(each -> each.state() == state).mapToLong(Ended::jobs).sum();
    }

    public @Nullable Instant oldestQueued() {
      return live.stream()
          .filter(each -> each.state() == State.QUEUED)
          .map(Live::oldest)
          .findFirst()
          .orElse(null);
    }
  }

  /** Takes the pulse of one tenant since then, in slots of this length. */
  public Reading read(int tenant, Instant since, Duration slot) {
    return jdbi.withHandle(handle -> {
      var from = FirstId.at(since);
      return new Reading(
          handle.createQuery(LIVE).bind("tenant", tenant).map(RecordMapper.of(Live.class)).list(),
          handle.createQuery(RESERVED).bind("tenant", tenant).mapTo(Long.class).one(),
          handle
              .createQuery(ENDED)
              .bind("tenant", tenant)
              .bind("from", from)
              .bind("most", MOST)
              .map(RecordMapper.of(Ended.class))
              .list(),
          handle
              .createQuery(TIMES)
              .bind("tenant", tenant)
              .bind("from", from)
              .bind("most", MOST)
              .map(RecordMapper.of(Times.class))
              .one(),
          handle
              .createQuery(BEATS)
              .bind("tenant", tenant)
              .bind("from", from)
              .bind("most", MOST)
              .bind("since", since)
              .bind("step", slot.toMillis() / 1000.0)
              .map(RecordMapper.of(Slot.class))
              .list());
    });
  }
}
