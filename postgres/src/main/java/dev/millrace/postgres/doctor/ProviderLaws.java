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

  /** An attempt that went silent, was given back or expired may have been taken all the same. */
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
            and e.reference is null
            and e.outcome in ('lease_lost', 'requeued', 'expired')) e
      where a.settled_before <> e.unheard
      """;

  private static final String REFERENCES =
      """
      select provider, reference, count(*)
      from attempt
      where reference is not null
      group by provider, reference
      having count(*) > 1
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
              "references",
              "No reference stands for two attempts.",
              "Two attempts claim the same work of a provider. One of them was never accepted: ask "
                  + "the provider which, and retry the other.",
              REFERENCES));

  private ProviderLaws() {}
}
