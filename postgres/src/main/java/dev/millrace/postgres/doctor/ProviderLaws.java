package dev.millrace.postgres.doctor;

import java.util.List;

/** Laws 11 and 12: nothing that a provider says is lost, and nothing is handed over unannounced. */
final class ProviderLaws {

  private static final String INBOX =
      """
      select provider, event, verdict, received_at
      from inbox
      where verdict = 'waiting'
        and received_at < clock_timestamp() - interval '1 day'
      """;

  private static final String APPLIED =
      """
      select b.provider, b.event, b.tenant_id, b.job_id
      from inbox b
      left join attempt a
          on a.provider = b.provider
         and a.reference = b.reference
         and a.tenant_id = b.tenant_id
         and a.job_id = b.job_id
      where b.verdict = 'applied'
        and a.ended_at is null
      """;

  private static final String INTENTS =
      """
      select a.tenant_id, a.job_id, a.number
      from attempt a
      where a.reference is not null
        and (a.intent_at is null or a.intent_at > a.accepted_at)
      union all
      select j.tenant_id, j.id, j.attempts
      from job j
      left join attempt a
          on a.tenant_id = j.tenant_id
         and a.job_id = j.id
         and a.number = j.attempts
      where j.state = 'submitted'
        and a.reference is null
        and a.unconfirmed_at is null
      """;

  /**
   * A submit without a clear answer may have been taken all the same: one of an attempt that went
   * silent, was given back or expired, and one that was not confirmed, whatever was said of it.
   */
  private static final String SUBMITS =
      """
      select a.tenant_id, a.job_id, a.number, a.settled_before, e.unheard
      from attempt a
      cross join lateral (
          select count(*) as unheard
          from attempt e
          where e.tenant_id = a.tenant_id
            and e.job_id = a.job_id
            and e.provider = a.provider
            and e.number < a.number
            and (e.unconfirmed_at is not null
              or (e.reference is null and e.outcome in ('lease_lost', 'requeued', 'expired')))) e
      where a.settled_before <> e.unheard
      """;

  /**
   * Whether a call of a server that died was taken, its provider may not be able to say. A failure
   * tells of it; it is what a backoff follows, or a person's decision.
   */
  private static final String SILENT =
      """
      select a.tenant_id, a.job_id, a.number, e.number as silent
      from attempt a
      join attempt e
          on e.tenant_id = a.tenant_id
         and e.job_id = a.job_id
         and e.provider = a.provider
         and e.number < a.number
      where a.settled_before is not null
        and e.reference is null
        and e.outcome = 'lease_lost'
        and not exists (
          select 1
          from attempt l
          where l.tenant_id = a.tenant_id
            and l.job_id = a.job_id
            and l.number > e.number
            and l.number < a.number
            and l.outcome = 'failed')
      """;

  private static final String REFERENCES =
      """
      select provider, reference, count(*)
      from attempt
      where reference is not null
      group by provider, reference
      having count(*) > 1
      """;

  /**
   * An intent names its job and attempt. A submit may have been on its way when a callback came.
   * One that was judged late was looked at, and what it told of was kept if it was of use.
   */
  private static final String HEARD =
      """
      with heard as (
          select provider, event, reference, verdict, received_at, judged_at,
              substring(intent from '^([0-9]{1,9})_')::int as tenant_id,
              substring(intent from '^[0-9]+_([0-9a-f]{32})_')::uuid as job_id,
              substring(intent from '^[0-9]+_[0-9a-f]+_([0-9]{1,6})_')::int as number
          from inbox
          where intent is not null)
      select h.provider, h.event, h.tenant_id, h.job_id, h.number, l.number as sent_again
      from heard h
      join attempt l
          on l.tenant_id = h.tenant_id
         and l.job_id = h.job_id
         and l.provider = h.provider
      where l.number > h.number
        and l.settled_before is not null
        and l.intent_at > h.received_at + interval '10 s'
        and (h.verdict <> 'late' or h.judged_at > l.intent_at)
        and not exists (
          select 1
          from attempt a
          where a.provider = h.provider
            and a.reference = h.reference
            and a.job_id = h.job_id
            and a.number <= l.number)
      union all
      select h.provider, h.event, h.tenant_id, h.job_id, h.number, null
      from heard h
      join job j on j.tenant_id = h.tenant_id and j.id = h.job_id
      where j.state in ('failed', 'dead_letter', 'expired')
        and (h.verdict = 'unmatched'
          or (h.verdict = 'waiting' and h.received_at < clock_timestamp() - interval '2 hours'))
        and not exists (
          select 1
          from attempt a
          where a.provider = h.provider
            and a.reference = h.reference)
        and not exists (
          select 1
          from late_result r
          where r.tenant_id = h.tenant_id
            and r.job_id = h.job_id
            and r.number = h.number)
      """;

  static final List<Invariant> ALL =
      List.of(
          new Invariant(
              11,
              "inbox",
              "No callback waits longer than a day.",
              "Nobody looks at what a provider called back. Is a server running that collects "
                  + "results? Its log says what keeps it.",
              INBOX),
          new Invariant(
              11,
              "applied",
              "A callback that was applied ended the attempt it names.",
              "A provider's callback was counted for another job than its own. Compare the "
                  + "callback's reference with the job's attempts.",
              APPLIED),
          new Invariant(
              12,
              "intents",
              "An intent precedes every provider's reference; a submitted job has one, or its "
                  + "provider is being asked.",
              "A job is at a provider and nobody said so before, or nobody knows where. Ask the "
                  + "provider before you retry it: it may be paid for there.",
              INTENTS),
          new Invariant(
              12,
              "submits",
              "Nothing is sent to a provider while an earlier submit of the job may have been taken.",
              "A job was handed over again before its provider had said that it has nothing of the "
                  + "attempts before. It may be paid for twice there: ask the provider.",
              SUBMITS),
          new Invariant(
              12,
              "silent",
              "Nothing is sent to a provider after a submit whose server went silent, before a "
                  + "failure has told of it.",
              "A job was handed over again right after its server had died. It may be paid for "
                  + "twice there: ask the provider.",
              SILENT),
          new Invariant(
              12,
              "heard",
              "No job is submitted again, or refunded for good, while a callback about its work "
                  + "waits.",
              "A provider called back about work of a job, naming what it was ordered with, and the "
                  + "work was ordered again or its result left behind. Ask the provider what it has.",
              HEARD),
          new Invariant(
              12,
              "references",
              "No reference stands for two attempts.",
              "Two attempts claim the same work of a provider. One of them was never accepted: ask "
                  + "the provider which, and retry the other.",
              REFERENCES));

  private ProviderLaws() {}
}
