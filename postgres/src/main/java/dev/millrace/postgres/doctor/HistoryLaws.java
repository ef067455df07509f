package dev.millrace.postgres.doctor;

import java.util.List;

/**
 * Laws 4 to 8: the history is whole, legal, and tells the same as the job. Of jobs whose month was
 * archived the events are elsewhere, so these laws are about the jobs after them.
 */
final class HistoryLaws {

  private static final String ENDS =
      """
      select tenant_id, job_id, seq, state
      from (
          select tenant_id, job_id, seq, state,
              lead(seq) over w as next_seq,
              lead(trigger) over w as next_trigger
          from job_event
          where job_id >= (select history_begins())
          window w as (partition by job_id, tenant_id order by seq)) e
      where state >= 'completed'
        and next_seq is not null
        and next_trigger is distinct from 'retry_in_place'
      """;

  private static final String LAST_STATES =
      """
      select j.tenant_id, j.id as job_id, j.state, e.state as event_state
      from job j
      left join job_event e on e.tenant_id = j.tenant_id and e.job_id = j.id and e.seq = j.events
      where j.id >= (select history_begins())
        and e.state is distinct from j.state
      """;

  private static final String EDGES =
      """
      select e.tenant_id, e.job_id, e.seq, e.previous, e.from_state, e.trigger, e.state
      from (
          select tenant_id, job_id, seq, from_state, trigger, state,
              lag(state) over (partition by job_id, tenant_id order by seq) as previous
          from job_event
          where job_id >= (select history_begins())) e
      left join lifecycle_edge l
          on l.from_state is not distinct from e.from_state
         and l.trigger = e.trigger
         and l.to_state = e.state
      where e.from_state is distinct from e.previous
         or (e.trigger is not null and l.to_state is null)
         or (e.trigger is null and e.state is distinct from e.previous)
      """;

  private static final String GAPS =
      """
      select j.tenant_id, j.id as job_id, j.events, e.count, e.last
      from job j
      cross join lateral (
          select count(*) as count, max(seq) as last
          from job_event e
          where e.tenant_id = j.tenant_id
            and e.job_id = j.id) e
      where j.id >= (select history_begins())
        and (e.count <> j.events or e.last is distinct from j.events)
      """;

  private static final String CLOCKS =
      """
      select tenant_id, job_id, seq, at
      from (
          select tenant_id, job_id, seq, at,
              lag(at) over (partition by job_id, tenant_id order by seq) as previous
          from job_event
          where job_id >= (select history_begins())) e
      where at < previous
      """;

  private static final String TRIES =
      """
      select j.tenant_id, j.id as job_id, j.attempts, j.failures, j.interruptions, a.count
      from job j
      cross join lateral (
          select count(*) as count,
              coalesce(max(number), 0) as last,
              count(*) filter (where outcome = 'failed') as failed,
              count(*) filter (where outcome in ('requeued', 'lease_lost')) as interrupted
          from attempt a
          where a.tenant_id = j.tenant_id
            and a.job_id = j.id) a
      where a.count <> j.attempts
         or a.last <> j.attempts
         or j.failures > a.failed
         or j.interruptions <> a.interrupted
         or j.failures > j.max_failures
         or j.interruptions > j.max_interruptions
      """;

  private static final String LEASES =
      """
      select tenant_id, job_id, number
      from (
          select tenant_id, job_id, number, ended_at,
              lead(started_at) over (partition by job_id, tenant_id order by number) as next
          from attempt) a
      where next is not null
        and (ended_at is null or ended_at > next)
      """;

  private static final String TOKENS =
      """
      select j.tenant_id, j.id as job_id, j.state, a.number, a.outcome
      from job j
      join attempt a on a.tenant_id = j.tenant_id and a.job_id = j.id
      where (a.outcome = 'completed' and a.number <> j.attempts and j.funding_seq = 1)
         or (a.ended_at is null and a.token is distinct from j.lease_token)
      """;

  static final List<Invariant> ALL =
      List.of(
          new Invariant(
              4,
              "ends",
              "A terminal event is the last of its life.",
              "Something happened to a job that had ended, so a result or a refund may "
                  + "have been overwritten. Look at the job's events after seq.",
              ENDS),
          new Invariant(
              4,
              "last_states",
              "A job's state is the state of its last event.",
              "The job's row was changed without an event, which only an edit by hand "
                  + "can do. The history is right; find out who changed the row.",
              LAST_STATES),
          new Invariant(
              5,
              "edges",
              "Every transition is an edge of the table and starts where the last one ended.",
              "A job went a way that the lifecycle does not have, or its history was "
                  + "edited. Look at the job's events around seq. If no row was edited by "
                  + "hand, it is a bug: please report it.",
              EDGES),
          new Invariant(
              6,
              "gaps",
              "A job's events count from 1 without a gap.",
              "Events of a job are missing, so those who watch it may have missed "
                  + "something. Was a part of the history deleted or not restored from a "
                  + "backup? If not, it is a bug: please report it.",
              GAPS),
          new Invariant(
              6,
              "clocks",
              "A job's events never go back in time.",
              "An event is older than the one before it. The database's clock was set "
                  + "back, or rows were edited. Nothing is lost, but durations of this job "
                  + "are wrong.",
              CLOCKS),
          new Invariant(
              7,
              "tries",
              "Attempts count from 1; failures and interruptions explain them.",
              "The job's counters do not match its attempts, so it may be tried too "
                  + "often or given up too early. Look at the attempts in its receipt.",
              TRIES),
          new Invariant(
              8,
              "leases",
              "The leases of one job never overlap.",
              "Two workers may have worked on one job at the same time. Only one result "
                  + "was taken. Look at the job's attempts, and at the clock of the database.",
              LEASES),
          new Invariant(
              8,
              "tokens",
              "The accepted result carries the newest lease's token.",
              "A result was taken from an attempt that was not the newest, or a lease "
                  + "is held that the queue does not know. Look at the job's attempts. If the "
                  + "job is live, cancel it.",
              TOKENS));

  private HistoryLaws() {}
}
