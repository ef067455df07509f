package dev.millrace.postgres.doctor;

import java.util.stream.Stream;

/** Damage done to what is known of providers. */
final class ProviderCorruption {

  /** What an attempt's work is ordered with. */
  private static final String INTENT =
      "tenant_id || '_' || replace(job_id::text, '-', '') || '_' || number || '_abcdefghijkl'";

  private static final String HANDED_OVER =
      """
      update attempt
      set provider = 'faraway', intent_at = started_at, reference = 'r1', accepted_at = started_at
      where outcome = 'completed';
      insert into inbox (provider, event, reference, verdict, received_at, judged_at, tenant_id, job_id)
      select 'faraway', 'e1', 'r1', 'applied', clock_timestamp(), clock_timestamp(), tenant_id, job_id
      from attempt
      where outcome = 'completed';
      """;

  private ProviderCorruption() {}

  static Stream<Corruption> all() {
    return Stream.concat(usual(), unheard());
  }

  private static Stream<Corruption> unheard() {
    return Stream.of(
        new Corruption(
            "heard",
            "a submit after a callback about the job's work",
            """
            update attempt a
            set provider = 'faraway', intent_at = started_at, settled_before = number - 1
            where exists (
                select 1
                from attempt f
                where f.tenant_id = a.tenant_id
                  and f.job_id = a.job_id
                  and f.number = 2
                  and f.outcome = 'failed');
            insert into inbox (provider, event, reference, received_at, intent)
            select 'faraway', 'e2', 'r2', started_at - interval '1 min', %1$s
            from attempt
            where provider = 'faraway' and number = 1
            """
                .formatted(INTENT)),
        new Corruption(
            "heard",
            "a refund beside a callback about the job's work",
            """
            insert into inbox (provider, event, reference, verdict, received_at, judged_at, intent)
            select 'faraway', 'e2', 'r2', 'unmatched', clock_timestamp(), clock_timestamp(), %1$s
            from attempt
            where outcome = 'failed'
            limit 1
            """
                .formatted(INTENT)));
  }

  private static Stream<Corruption> usual() {
    return Stream.of(
        new Corruption(
            "inbox",
            "a callback that nobody looks at",
            """
            insert into inbox (provider, event, reference, received_at)
            values ('faraway', 'e1', 'r1', clock_timestamp() - interval '2 days')
            """),
        new Corruption(
            "applied",
            "a callback applied to nothing",
            HANDED_OVER + "update inbox set reference = 'other'"),
        new Corruption(
            "applied",
            "a callback applied to somebody else's job",
            HANDED_OVER + "update inbox set job_id = gen_random_uuid()"),
        new Corruption(
            "intents",
            "an unannounced reference",
            HANDED_OVER
                + """
                update attempt set intent_at = accepted_at + interval '1 s' where reference = 'r1'
                """),
        new Corruption(
            "submits",
            "a submit while the provider had not said what became of one before",
            HANDED_OVER + "update attempt set settled_before = 1 where reference = 'r1'"),
        new Corruption(
            "silent",
            "a call after one whose server died",
            """
            update attempt a
            set provider = 'faraway', intent_at = started_at, settled_before = number - 1,
                outcome = case number when 1 then 'lease_lost' else outcome end
            where exists (
                select 1
                from attempt f
                where f.tenant_id = a.tenant_id
                  and f.job_id = a.job_id
                  and f.number = 2
                  and f.outcome = 'failed')
            """),
        new Corruption(
            "references",
            "a reference used twice",
            HANDED_OVER
                + """
                drop index attempt_of_reference;
                update attempt
                set provider = 'faraway', intent_at = started_at, reference = 'r1',
                    accepted_at = started_at
                where outcome = 'failed'
                """));
  }
}
