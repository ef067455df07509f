package dev.millrace.postgres.doctor;

import java.util.List;

/** Laws 9 and 10: live work is in the queue, and only live work. */
final class DispatchLaws {

  private static final String DEADLINES =
      """
      select d.tenant_id, d.job_id, d.state, d.deadline_at
      from dispatch d
      join job j on j.tenant_id = d.tenant_id and j.id = d.job_id
      join effect e on e.id = j.effect_id
      join workflow w on w.id = j.workflow_id
      where d.deadline_at < (select clock_timestamp()) - interval '60 seconds'
        and not (d.state in ('pending', 'queued')
          and (e.paused_at is not null
            or w.paused_at is not null
            or coalesce(greatest(e.resumed_at, w.resumed_at), '-infinity')
                > clock_timestamp() - (j.queue_seconds + 60) * interval '1 s'))
      """;

  private static final String EXPIRED_LEASES =
      """
      select j.tenant_id, j.id as job_id, j.state, j.lease_expires_at
      from dispatch d
      join job j on j.tenant_id = d.tenant_id and j.id = d.job_id
      where d.lease_token is not null
        and j.lease_expires_at < clock_timestamp() - interval '60 seconds'
      """;

  private static final String PLACES =
      """
      select coalesce(j.tenant_id, d.tenant_id) as tenant_id, coalesce(j.id, d.job_id) as job_id,
          j.state, d.state as dispatch_state
      from (select * from job where finished_at is null) j
      full join dispatch d on d.tenant_id = j.tenant_id and d.job_id = j.id
      where j.state is distinct from d.state
         or (j.workflow_id, j.effect_id) is distinct from (d.workflow_id, d.effect_id)
         or (j.due_at, j.deadline_at) is distinct from (d.due_at, d.deadline_at)
         or (j.lease_token, j.worker, j.provider)
             is distinct from (d.lease_token, d.worker, d.provider)
      """;

  private static final String KEYS =
      """
      select tenant_id, wallet_id, min(id::text) as first_job, max(id::text) as last_job, count(*)
      from job
      where idempotency_key is not null
      group by tenant_id, wallet_id, idempotency_key
      having count(*) > 1
      """;

  static final List<Invariant> ALL =
      List.of(
          new Invariant(
              9,
              "deadlines",
              "No live job is past its deadline by more than a sweep.",
              "Nobody ends jobs that are over. Is at least one server running, and does "
                  + "its log say that the reaper fails? It goes away by itself once a reaper "
                  + "runs.",
              DEADLINES),
          new Invariant(
              9,
              "expired_leases",
              "No lease is past its end by more than a sweep.",
              "Nobody takes jobs back from workers that have died. Is at least one "
                  + "server running, and does its log say that the reaper fails? It goes away "
                  + "by itself once a reaper runs.",
              EXPIRED_LEASES),
          new Invariant(
              10,
              "places",
              "Every live job has one dispatch that agrees with it, and no other job has one.",
              "A live job is not in the queue and will never run, or an ended one still "
                  + "is and may run again. Cancel the live ones to give their credits back, "
                  + "and report it.",
              PLACES),
          new Invariant(
              10,
              "keys",
              "One job per user and idempotency key.",
              "The same idempotency key made two jobs, so a user may have paid twice. "
                  + "The unique index on job is missing: create it again as the migrations "
                  + "do, after refunding one of the two.",
              KEYS));

  private DispatchLaws() {}
}
