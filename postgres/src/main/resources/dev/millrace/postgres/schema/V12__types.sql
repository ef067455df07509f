-- The types that batches travel in: the rows that one statement writes or looks up are one array of these (see Bulk).
-- Their fields are in the order in which the classes of postgres.store name them. A type is never altered: a running
-- node sends the fields that it knows. What needs another field gets another type (ADR 25).

-- Looking up and locking ---------------------------------------------------------------------------

-- A job.
create type job_key as (
    tenant_id int, id uuid
);

-- A wallet that is known.
create type wallet_ref as (
    id bigint
);

-- A wallet that is only known by its user.
create type wallet_owner as (
    tenant_id int, user_id text
);

-- A tenant's share of a queue.
create type share_key as (
    workflow_id int, tenant_id int
);

-- A worker, to count what it holds.
create type worker_key as (
    id text
);

-- A callback in the inbox.
create type callback_key as (
    provider text, event text
);

-- A submit with a key, to find the job that it made before.
create type wallet_key as (
    wallet_id bigint, idempotency_key text
);

-- A submit of an effect that dedupes, to find the job that asked for the same not long ago.
create type wallet_request as (
    wallet_id bigint, fingerprint text, window_millis bigint
);

-- How many jobs to claim: most of a queue, or of an effect.
create type queue_limit as (
    id int, most int
);

-- Jobs and their places ----------------------------------------------------------------------------

-- A job that is submitted.
create type new_job as (
    tenant_id int, id uuid, wallet_id bigint, effect_id int, workflow_id int, state job_state, priority int,
    events int, message text, max_failures int, max_interruptions int, funding_seq int, held bigint,
    hold_open boolean, run_seconds int, queue_seconds int, review boolean, safety_refund boolean,
    decline_consumes boolean, price_unit price_unit, price_rate bigint, error_code text, error_message text,
    idempotency_key text, fingerprint text, retry_of uuid, follows uuid, batch_id uuid, created_at timestamptz,
    due_at timestamptz, finished_at timestamptz, changed_at timestamptz, deadline_at timestamptz, workspace text
);

-- Its input.
create type new_input as (
    tenant_id int, job_id uuid, input text
);

-- Its place in the queue.
create type new_dispatch as (
    tenant_id int, job_id uuid, workflow_id int, state job_state, priority int, virtual_start bigint,
    due_at timestamptz, deadline_at timestamptz, effect_id int
);

-- The jobs that were submitted together.
create type new_batch as (
    tenant_id int, id uuid, wallet_id bigint, idempotency_key text, fingerprint text, atomic boolean, size int,
    created_at timestamptz, workspace text
);

-- All of a job that can change.
create type changed_job as (
    tenant_id int, id uuid, state job_state, events int, progress int, step text, message text, summary text,
    attempts int, failures int, interruptions int, max_failures int, max_interruptions int, funding_seq int,
    held bigint, hold_open boolean, captured bigint, delivered bigint, error_code text, error_message text,
    due_at timestamptz, started_at timestamptz, finished_at timestamptz, changed_at timestamptz,
    overturned_at timestamptz, deleted_at timestamptz, deadline_at timestamptz, lease_token uuid, worker text,
    lease_expires_at timestamptz, provider text
);

-- What a heartbeat changes.
create type told_job as (
    tenant_id int, id uuid, events int, progress int, step text, message text, summary text, changed_at timestamptz,
    lease_expires_at timestamptz
);

-- A job that waits and is sent to another queue (ADR 18).
create type moved_job as (
    tenant_id int, id uuid, workflow_id int
);

-- All of a place in the queue that can change.
create type changed_dispatch as (
    tenant_id int, job_id uuid, state job_state, due_at timestamptz, deadline_at timestamptz, lease_token uuid,
    worker text, provider text
);

-- Where a tenant's newest job in a queue ends.
create type changed_share as (
    workflow_id int, tenant_id int, finish bigint
);

-- How far a queue has come.
create type served_queue as (
    workflow_id int, served bigint
);

-- Attempts and history -----------------------------------------------------------------------------

-- An attempt that begins with its lease.
create type new_attempt as (
    tenant_id int, job_id uuid, number int, token uuid, worker text, started_at timestamptz
);

-- The intent to call a provider.
create type attempt_intent as (
    tenant_id int, job_id uuid, number int, provider text, settled_before int, intent_at timestamptz
);

-- A call of which nobody knows whether it was taken.
create type unconfirmed_attempt as (
    tenant_id int, job_id uuid, number int, unconfirmed_at timestamptz
);

-- A call that the provider took, with its reference.
create type attempt_acceptance as (
    tenant_id int, job_id uuid, number int, provider text, reference text, accepted_at timestamptz
);

-- How an attempt ended.
create type ended_attempt as (
    tenant_id int, job_id uuid, number int, ended_at timestamptz, outcome text, error text
);

-- What happened to a job.
create type new_event as (
    tenant_id int, job_id uuid, seq int, trigger text, from_state job_state, state job_state, progress int,
    step text, message text, summary text, attempt int, at timestamptz
);

-- Who administered what.
create type new_audit as (
    tenant_id int, actor text, action text, target text, detail text, at timestamptz
);

-- Money --------------------------------------------------------------------------------------------

-- A ledger line. Its tenant comes with it: to look it up in the wallet would be a quarter of the line's cost.
create type new_line as (
    wallet_id bigint, type ledger_type, amount bigint, captured bigint, balance_after bigint, job_id uuid,
    funding_seq int, key text, note text, at timestamptz, tenant_id int
);

-- All of a wallet that jobs change.
create type changed_wallet as (
    id bigint, balance bigint, active int, day bigint, today int
);

-- Files --------------------------------------------------------------------------------------------

-- An output of a job that completes.
create type new_file as (
    tenant_id int, id uuid, wallet_id bigint, job_id uuid, attempt int, key text, name text, media_type text,
    size bigint, sha256 text, width int, height int, thumbnail_key text, created_at timestamptz
);

-- An output that is a small text, written with the job that it completes.
create type new_text as (
    key text, content bytea
);

-- An output that its owner doesn't get.
create type withheld_file as (
    tenant_id int, job_id uuid, id uuid
);

-- An output about which was decided, or is to be decided again: null is open.
create type reviewed_file as (
    tenant_id int, job_id uuid, id uuid, approved boolean
);

-- Outside ------------------------------------------------------------------------------------------

-- A callback that came in.
create type new_callback as (
    provider text, event text, reference text, received_at timestamptz, intent text
);

-- What became of a callback.
create type judged_callback as (
    provider text, event text, verdict text, judged_at timestamptz, tenant_id int, job_id uuid
);

-- A check on the way -------------------------------------------------------------------------------

-- What is written is committed on the same way, so nobody could look at the number of rows in between.
create function require_rows(written bigint, expected int) returns void
language plpgsql
as $$
begin
    if written <> expected then
        raise exception 'wrote % rows of %', written, expected;
    end if;
end
$$;
