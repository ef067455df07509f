package dev.millrace.postgres.doctor;

import java.util.List;

/**
 * What a single row must look like. On the hot tables this is no check of the database, because
 * PostgreSQL prepares checks anew for every statement that writes.
 */
final class ShapeLaws {

  private static final String JOBS =
      """
      select tenant_id, id as job_id, state, held, captured, hold_open, finished_at
      from job
      where not (
              events > 0
          and progress between 0 and 100
          and held >= 0
          and captured between 0 and held
          and delivered >= 0
          and price_rate >= 0
          and failures between 0 and max_failures
          and interruptions between 0 and max_interruptions
          and run_seconds > 0
          and queue_seconds > 0
          and hold_open = (state < 'completed')
          and (not hold_open or captured = 0)
          and (finished_at is null) = (state < 'completed')
          and (deleted_at is null or finished_at is not null)
          and (cleaned_at is null or deleted_at is not null)
          and (overturned_at is null or state = 'rejected'))
         or length(idempotency_key) not between 1 and 200
      """;

  private static final String LINES =
      """
      select tenant_id, wallet_id, id as ledger_id, type, amount, captured, balance_after
      from ledger
      where balance_after < 0
         or captured < 0
         or (captured > 0 and type <> 'job_consume')
         or (job_id is null) <> (type in ('payment_credit', 'adjustment'))
         or not case type
             when 'payment_credit' then amount > 0
             when 'job_reserve' then amount < 0
             when 'job_consume' then amount = 0 and captured > 0
             when 'job_refund' then amount > 0
             else true
         end
      """;

  private static final String LEASES =
      """
      select tenant_id, id as job_id, state, worker, lease_expires_at
      from job
      where (deadline_at is null) <> (state >= 'completed')
         or (lease_token is null) <> (worker is null)
         or (lease_token is null) <> (lease_expires_at is null)
         or (state = 'running' and lease_token is null)
         or (lease_token is not null and state not in ('running', 'submitted', 'canceling'))
         or (provider is not null and lease_token is null)
      """;

  private static final String ATTEMPTS =
      """
      select tenant_id, job_id, number, started_at, ended_at, outcome
      from attempt
      where number < 1
         or (ended_at is null) <> (outcome is null)
         or ended_at < started_at
         or (provider is null) <> (intent_at is null)
         or (reference is null) <> (accepted_at is null)
      """;

  private static final String FILES =
      """
      select tenant_id, id as file_id, job_id, kind, state, size, length(sha256) as sha256_length
      from file
      where kind not in ('input', 'output')
         or state not in ('pending', 'ready')
         or (kind = 'output') <> (job_id is not null)
         or (withheld and kind <> 'output')
         or (state = 'pending' and kind <> 'input')
         or (state = 'pending') <> (expires_at is not null)
         or (state = 'ready' and sha256 is null)
         or (upload_id is null) <> (part_bytes is null)
         or (state = 'ready' and upload_id is not null)
         or (erased_at is not null and deleted_at is null)
         or size < 0
         or sha256 !~ '^[0-9a-f]{64}$'
      """;

  static final List<Invariant> ALL =
      List.of(
          new Invariant(
              2,
              "ledger_rows",
              "Every ledger line has the sign and the job that its type asks for.",
              "A line was written or changed by hand, or a bug made it. Look at ledger_id and "
                  + "its neighbours; correct the wallet by an adjustment.",
              LINES),
          new Invariant(
              3,
              "job_rows",
              "A job's counters, its hold and its times fit its state.",
              "A job's row was changed by hand, or a bug made it. Compare it with its events "
                  + "and its receipt, which are right.",
              JOBS),
          new Invariant(
              8,
              "lease_rows",
              "A lease is whole: token, worker and end, and only where work is under way.",
              "A place in the queue was changed by hand, or a bug made it. Cancel the job to "
                  + "give its credits back, and report it.",
              LEASES),
          new Invariant(
              8,
              "attempt_rows",
              "An attempt ends after it began, with an outcome, and names a provider it used.",
              "An attempt was changed by hand, or a bug made it. It is evidence and moves no "
                  + "money; report it.",
              ATTEMPTS),
          new Invariant(
              14,
              "file_rows",
              "A file has a size, a checksum once it is ready, and a job if it is an output.",
              "A file's row was changed by hand, or a bug made it. Its object may not be what "
                  + "the row says; compare size and SHA-256.",
              FILES));

  private ShapeLaws() {}
}
