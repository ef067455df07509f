package dev.millrace.postgres.doctor;

import java.util.List;

/** Law 16: whoever asked to be told is told. */
final class WebhookLaws {

  /** Of the last hour that was read; older ones may have been changed or forgotten. */
  private static final String TOLD =
      """
      select w.tenant_id, w.id as webhook_id, e.job_id, e.seq
      from webhook w
      cross join webhook_cursor c
      join job_event e
          on e.tenant_id = w.tenant_id
         and e.at >= greatest(w.since, w.asked_at, c.read_before - interval '1 hour')
         and e.at < c.read_before
      left join webhook_delivery d
          on d.tenant_id = w.tenant_id
         and d.webhook_id = w.id
         and d.message = 'msg_' || replace(cast(e.job_id as text), '-', '') || '_' || e.seq
      where w.disabled_at is null
        and not w.of_jobs
        and d.n is null
        and case
            when e.trigger is null then 'job.progress' = any (w.events)
            when e.from_state is null and e.state <> 'blocked' then w.events && '{*,job.created}'
            else w.events && array['*', 'job.' || e.state]
        end
      """;

  private static final String SENT =
      """
      select d.tenant_id, d.webhook_id, d.message, d.next_at
      from webhook_delivery d
      join webhook w on w.tenant_id = d.tenant_id and w.id = d.webhook_id
      where d.state = 'pending'
        and w.failing_since is null
        and d.next_at < clock_timestamp() - interval '1 hour'
      """;

  static final List<Invariant> ALL =
      List.of(
          new Invariant(
              16,
              "webhooks_told",
              "Every event that an endpoint asked for has a delivery.",
              "A webhook was lost: the log was read past an event that became visible later. Do all "
                  + "nodes connect as the same database user? If not, grant them pg_read_all_stats.",
              TOLD),
          new Invariant(
              16,
              "webhooks_sent",
              "No delivery to a healthy endpoint is an hour late.",
              "Webhooks are due and nobody sends them. Is a server running? Its log says what keeps "
                  + "it; an endpoint that answers slowly can be late by itself.",
              SENT));

  private WebhookLaws() {}
}
