package dev.millrace.postgres.store;

import dev.millrace.engine.job.Failure;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.Lease;
import dev.millrace.engine.port.Changes;
import dev.millrace.engine.port.Changes.NewJob;
import dev.millrace.engine.port.Share;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Job rows, their dispatch, and the fairness of their queues. */
final class JobWrites {

  private static final Bulk<NewJob> INSERT_JOBS =
      new Bulk<NewJob>(
              "new_job",
              """
              insert into job (
                  tenant_id, id, wallet_id, effect_id, workflow_id, state, priority, events,
                  progress, message, attempts, failures, interruptions, max_failures,
                  max_interruptions, funding_seq, held, hold_open, captured, run_seconds,
                  queue_seconds, review, safety_refund, decline_consumes, price_unit, price_rate,
                  error_code, error_message, idempotency_key, fingerprint, retry_of, follows,
                  batch_id, created_at, due_at, finished_at, changed_at, deadline_at, workspace)
              select n.tenant_id, n.id, n.wallet_id, n.effect_id, n.workflow_id, n.state,
                  n.priority, n.events, 0, n.message, 0, 0, 0, n.max_failures,
                  n.max_interruptions, n.funding_seq, n.held, n.hold_open, 0, n.run_seconds,
                  n.queue_seconds, n.review, n.safety_refund, n.decline_consumes, n.price_unit,
                  n.price_rate, n.error_code, n.error_message, n.idempotency_key, n.fingerprint,
                  n.retry_of, n.follows, n.batch_id, n.created_at, n.due_at, n.finished_at,
                  n.changed_at, n.deadline_at, n.workspace
              from unnest(?::new_job[]) as n
              """)
          .column("int4", n -> n.job().id().tenant())
          .column("uuid", n -> n.job().id().uuid())
          .column("int8", n -> n.job().terms().walletId())
          .column("int4", n -> n.job().terms().effectId())
          .column("int4", n -> n.job().terms().workflowId())
          .column("job_state", n -> n.job().state().label())
          .column("int4", n -> n.job().terms().priority())
          .column("int4", n -> n.job().events())
          .column("text", n -> n.job().progress().message())
          .column("int4", n -> n.job().tries().maxFailures())
          .column("int4", n -> n.job().tries().maxInterruptions())
          .column("int4", n -> n.job().hold().fundingSeq())
          .column("int8", n -> n.job().hold().amount())
          .column("bool", n -> n.job().hold().open())
          .column("int4", n -> n.job().terms().runSeconds())
          .column("int4", n -> n.job().terms().queueSeconds())
          .column("bool", n -> n.job().terms().rules().review())
          .column("bool", n -> n.job().terms().rules().safetyRefund())
          .column("bool", n -> n.job().terms().rules().declineConsumes())
          .column("price_unit", n -> n.job().terms().rules().price().unit().label())
          .column("int8", n -> n.job().terms().rules().price().rate())
          .column("text", n -> failure(n.job(), Failure::code))
          .column("text", n -> failure(n.job(), Failure::message))
          .column("text", NewJob::key)
          .column("text", NewJob::fingerprint)
          .column("uuid", n -> n.links().retryOf())
          .column("uuid", n -> n.links().follows())
          .column("uuid", n -> n.links().batch())
          .column("timestamptz", n -> n.job().times().createdAt())
          .column("timestamptz", n -> n.job().times().dueAt())
          .column("timestamptz", n -> n.job().times().finishedAt())
          .column("timestamptz", n -> n.job().times().changedAt())
          .column("timestamptz", n -> n.job().times().deadlineAt())
          .column("text", n -> n.links().labels().workspace());

  private static final Bulk<NewJob> INSERT_INPUTS =
      new Bulk<NewJob>(
              "noted_input",
              """
              insert into job_input (tenant_id, job_id, input, notes)
              select n.tenant_id, n.job_id, n.input::jsonb, n.notes::jsonb
              from unnest(?::noted_input[]) as n
              """)
          .column("int4", n -> n.job().id().tenant())
          .column("uuid", n -> n.job().id().uuid())
          .column("text", NewJob::input)
          .column("text", n -> n.links().labels().notes());

  /** Few jobs begin with a summary, so that it is no field of every new job. */
  private static final Bulk<Job> BEGIN_SUMMARIES =
      new Bulk<Job>(
              "first_summary",
              """
              update job j
              set summary = f.summary::jsonb
              from unnest(?::first_summary[]) as f
              where (j.tenant_id, j.id) between (f.tenant_id, f.id) and (f.tenant_id, f.id)
              """)
          .column("int4", j -> j.id().tenant())
          .column("uuid", j -> j.id().uuid())
          .column("text", j -> SummaryJson.write(j.summary()));

  /** A live job and where it stands in its queue. */
  private record Place(Job job, long virtualStart) {}

  private static final Bulk<Place> INSERT_DISPATCHES =
      new Bulk<Place>(
              "new_dispatch",
              """
              insert into dispatch (
                  tenant_id, job_id, workflow_id, effect_id, state, priority, virtual_start, due_at,
                  deadline_at)
              select n.tenant_id, n.job_id, n.workflow_id, n.effect_id, n.state, n.priority,
                  n.virtual_start, n.due_at, n.deadline_at
              from unnest(?::new_dispatch[]) as n
              """)
          .column("int4", n -> n.job().id().tenant())
          .column("uuid", n -> n.job().id().uuid())
          .column("int4", n -> n.job().terms().workflowId())
          .column("job_state", n -> n.job().state().label())
          .column("int4", n -> n.job().terms().priority())
          .column("int8", Place::virtualStart)
          .column("timestamptz", n -> n.job().times().dueAt())
          .column("timestamptz", n -> n.job().times().deadlineAt())
          .column("int4", n -> n.job().terms().effectId());

  private static final Bulk<Job> UPDATE_JOBS =
      new Bulk<Job>(
              "changed_job",
              """
              update job j
              set state = u.state,
                  events = u.events,
                  progress = u.progress,
                  step = u.step,
                  message = u.message,
                  summary = u.summary::jsonb,
                  attempts = u.attempts,
                  failures = u.failures,
                  interruptions = u.interruptions,
                  max_failures = u.max_failures,
                  max_interruptions = u.max_interruptions,
                  funding_seq = u.funding_seq,
                  held = u.held,
                  hold_open = u.hold_open,
                  captured = u.captured,
                  delivered = u.delivered,
                  error_code = u.error_code,
                  error_message = u.error_message,
                  due_at = u.due_at,
                  started_at = u.started_at,
                  finished_at = u.finished_at,
                  changed_at = u.changed_at,
                  overturned_at = u.overturned_at,
                  deleted_at = u.deleted_at,
                  deadline_at = u.deadline_at,
                  lease_token = u.lease_token,
                  worker = u.worker,
                  lease_expires_at = u.lease_expires_at,
                  provider = u.provider
              from unnest(?::changed_job[]) as u
              where (j.tenant_id, j.id) between (u.tenant_id, u.id) and (u.tenant_id, u.id)
              """)
          .column("int4", j -> j.id().tenant())
          .column("uuid", j -> j.id().uuid())
          .column("job_state", j -> j.state().label())
          .column("int4", Job::events)
          .column("int4", j -> j.progress().percent())
          .column("text", j -> j.progress().step())
          .column("text", j -> j.progress().message())
          .column("text", j -> SummaryJson.write(j.summary()))
          .column("int4", j -> j.tries().attempts())
          .column("int4", j -> j.tries().failures())
          .column("int4", j -> j.tries().interruptions())
          .column("int4", j -> j.tries().maxFailures())
          .column("int4", j -> j.tries().maxInterruptions())
          .column("int4", j -> j.hold().fundingSeq())
          .column("int8", j -> j.hold().amount())
          .column("bool", j -> j.hold().open())
          .column("int8", j -> j.hold().captured())
          .column("int8", Job::delivered)
          .column("text", j -> failure(j, Failure::code))
          .column("text", j -> failure(j, Failure::message))
          .column("timestamptz", j -> j.times().dueAt())
          .column("timestamptz", j -> j.times().startedAt())
          .column("timestamptz", j -> j.times().finishedAt())
          .column("timestamptz", j -> j.times().changedAt())
          .column("timestamptz", j -> j.afterEnd().overturnedAt())
          .column("timestamptz", j -> j.afterEnd().deletedAt())
          .column("timestamptz", j -> j.times().deadlineAt())
          .column("uuid", j -> lease(j, Lease::token))
          .column("text", j -> lease(j, Lease::worker))
          .column("timestamptz", j -> lease(j, Lease::expiresAt))
          .column("text", j -> lease(j, Lease::provider));

  /** Heartbeats are most of what is ever written to a job, and change little of it. */
  private static final Bulk<Job> TELL_JOBS =
      new Bulk<Job>(
              "told_job",
              """
              update job j
              set events = u.events,
                  progress = u.progress,
                  step = u.step,
                  message = u.message,
                  summary = u.summary::jsonb,
                  changed_at = u.changed_at,
                  lease_expires_at = u.lease_expires_at
              from unnest(?::told_job[]) as u
              where (j.tenant_id, j.id) between (u.tenant_id, u.id) and (u.tenant_id, u.id)
              """)
          .column("int4", j -> j.id().tenant())
          .column("uuid", j -> j.id().uuid())
          .column("int4", Job::events)
          .column("int4", j -> j.progress().percent())
          .column("text", j -> j.progress().step())
          .column("text", j -> j.progress().message())
          .column("text", j -> SummaryJson.write(j.summary()))
          .column("timestamptz", j -> j.times().changedAt())
          .column("timestamptz", j -> lease(j, Lease::expiresAt));

  /** Few are placed again, and of those few in another queue: all others keep theirs for life. */
  private static final Bulk<Job> MOVE_JOBS =
      new Bulk<Job>(
              "moved_job",
              """
              update job j
              set workflow_id = m.workflow_id
              from unnest(?::moved_job[]) as m
              where (j.tenant_id, j.id) between (m.tenant_id, m.id) and (m.tenant_id, m.id)
                and j.workflow_id <> m.workflow_id
              """)
          .column("int4", j -> j.id().tenant())
          .column("uuid", j -> j.id().uuid())
          .column("int4", j -> j.terms().workflowId());

  private static final Bulk<Job> UPDATE_DISPATCHES =
      new Bulk<Job>(
              "changed_dispatch",
              """
              update dispatch d
              set state = u.state,
                  due_at = u.due_at,
                  deadline_at = u.deadline_at,
                  lease_token = u.lease_token,
                  worker = u.worker,
                  provider = u.provider
              from unnest(?::changed_dispatch[]) as u
              where (d.tenant_id, d.job_id)
                  between (u.tenant_id, u.job_id) and (u.tenant_id, u.job_id)
              """)
          .column("int4", j -> j.id().tenant())
          .column("uuid", j -> j.id().uuid())
          .column("job_state", j -> j.state().label())
          .column("timestamptz", j -> j.times().dueAt())
          .column("timestamptz", j -> j.times().deadlineAt())
          .column("uuid", j -> lease(j, Lease::token))
          .column("text", j -> lease(j, Lease::worker))
          .column("text", j -> lease(j, Lease::provider));

  private static final Bulk<JobId> DELETE_DISPATCHES =
      new Bulk<JobId>(
              "job_key",
              """
              delete from dispatch d
              using unnest(?::job_key[]) as i (tenant_id, job_id)
              where (d.tenant_id, d.job_id)
                  between (i.tenant_id, i.job_id) and (i.tenant_id, i.job_id)
              """)
          .column("int4", JobId::tenant)
          .column("uuid", JobId::uuid);

  private static final Bulk<Share> UPDATE_SHARES =
      new Bulk<Share>(
              "changed_share",
              """
              update share s
              set finish = u.finish
              from unnest(?::changed_share[]) as u
              where (s.workflow_id, s.tenant_id)
                  between (u.workflow_id, u.tenant_id) and (u.workflow_id, u.tenant_id)
              """)
          .column("int4", s -> s.key().workflowId())
          .column("int4", s -> s.key().tenant())
          .column("int8", Share::finish);

  /**
   * Waits for nobody: the leases of this transaction run already. A queue that another node
   * advances at this moment is left to it; the next lease makes up for it.
   */
  private static final Bulk<Map.Entry<Integer, Long>> ADVANCE_QUEUES =
      new Bulk<Map.Entry<Integer, Long>>(
              "served_queue",
              """
              with u as (
                  select u.workflow_id, u.served
                  from unnest(?::served_queue[]) as u),
              added as (
                  insert into queue (workflow_id, served)
                  select u.workflow_id, u.served
                  from u
                  where not exists (
                      select 1
                      from queue q
                      where q.workflow_id between u.workflow_id and u.workflow_id)
                  order by u.workflow_id
                  on conflict do nothing)
              update queue q
              set served = ahead.served
              from (
                  select u.workflow_id, u.served
                  from u
                  cross join lateral (
                      select l.workflow_id
                      from queue l
                      where l.workflow_id = u.workflow_id
                        and l.served < u.served
                      for update skip locked) l) ahead
              where q.workflow_id between ahead.workflow_id and ahead.workflow_id
              """)
          .column("int4", Map.Entry::getKey)
          .column("int8", Map.Entry::getValue);

  private JobWrites() {}

  /**
   * Writes them.
   *
   * @param before the changed jobs as they were when they were locked
   */
  static void write(Pipeline pipeline, Changes changes, Map<JobId, Job> before) {
    pipeline
        .write(INSERT_JOBS, changes.created())
        .write(INSERT_INPUTS, changes.created())
        .write(
            BEGIN_SUMMARIES,
            changes.created().stream()
                .map(NewJob::job)
                .filter(job -> !job.summary().values().isEmpty())
                .toList());
    List<Job> told = new ArrayList<>();
    List<Job> moved = new ArrayList<>();
    for (Job job : changes.changed()) {
      (Difference.onlyTold(before.get(job.id()), job) ? told : moved).add(job);
    }
    pipeline.writeAll(UPDATE_JOBS, moved).writeAll(TELL_JOBS, told);
    writeDispatches(pipeline, changes, before);
    pipeline
        .write(UPDATE_SHARES, changes.shares())
        .write(ADVANCE_QUEUES, changes.served().entrySet());
  }

  /** A job that was over has no dispatch; one that is over loses it. */
  private static void writeDispatches(Pipeline pipeline, Changes changes, Map<JobId, Job> before) {
    Map<JobId, Long> placed = new HashMap<>();
    changes.placed().forEach(row -> placed.put(row.job(), row.virtualStart()));
    List<Place> arriving = new ArrayList<>();
    for (NewJob created : changes.created()) {
      if (created.job().state().live()) {
        arriving.add(new Place(created.job(), created.virtualStart()));
      }
    }
    List<Job> moving = new ArrayList<>();
    List<Job> staying = new ArrayList<>();
    List<JobId> leaving = new ArrayList<>();
    for (Job job : changes.changed()) {
      Long virtualStart = placed.get(job.id());
      if (virtualStart != null) {
        moving.add(job);
      }
      if (job.state().terminal()) {
        leaving.add(job.id());
      } else if (virtualStart == null) {
        if (!Difference.samePlace(before.get(job.id()), job)) {
          staying.add(job);
        }
      } else {
        arriving.add(new Place(job, virtualStart));
      }
    }
    // One that ended and was retried within one batch still has the dispatch of its last life.
    pipeline
        .write(MOVE_JOBS, moving)
        .write(DELETE_DISPATCHES, placed.keySet())
        .write(INSERT_DISPATCHES, arriving)
        .writeAll(UPDATE_DISPATCHES, staying)
        .write(DELETE_DISPATCHES, leaving);
  }

  private static @Nullable Object lease(Job job, Function<Lease, @Nullable Object> part) {
    return job.lease() == null ? null : part.apply(job.lease());
  }

  private static @Nullable Object failure(Job job, Function<Failure, Object> part) {
    return job.failure() == null ? null : part.apply(job.failure());
  }
}
