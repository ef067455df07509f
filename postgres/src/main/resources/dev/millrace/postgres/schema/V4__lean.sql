-- Leaner hot tables.
--
-- PostgreSQL reads and prepares every check of a table anew for every statement that writes to it, which was a third of
-- the time of a lonely submit. What the checks of the hot tables said, `millrace doctor` says now (law "shapes"). The
-- checks that guard money stay: a wallet's balance and the unique indexes of the ledger.
do $$
declare
    c record;
begin
    for c in
        select conrelid::regclass as hot, conname
        from pg_constraint
        where contype = 'c'
          and conrelid in ('job'::regclass, 'dispatch'::regclass, 'attempt'::regclass, 'job_event'::regclass,
                           'ledger'::regclass, 'file'::regclass)
    loop
        execute format('alter table %s drop constraint %I', c.hot, c.conname);
    end loop;
end
$$;

-- A key contains the ids of its tenant, its job and itself.
alter table file drop constraint file_key_key;

-- Room for the next versions of a row in its own page: a job is changed three times soon after it was made.
alter table job set (fillfactor = 50);
alter table dispatch set (
    fillfactor = 40, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
    autovacuum_vacuum_cost_delay = 0);
alter table attempt set (fillfactor = 60);

-- The rows that one statement writes or looks up travel as one array of these. Their fields are in the order in which
-- the classes of postgres.store name them.
create type new_audit as (
    tenant_id int, actor text, action text, target text, detail text, at timestamptz
);
create type new_batch as (
    tenant_id int, id uuid, wallet_id bigint, idempotency_key text, fingerprint text, atomic boolean, size int,
    created_at timestamptz
);
create type queue_limit as (
    id int, most int
);
create type new_event as (
    tenant_id int, job_id uuid, seq int, trigger text, from_state job_state, state job_state, progress int,
    step text, message text, summary text, attempt int, at timestamptz
);
create type new_attempt as (
    tenant_id int, job_id uuid, number int, token uuid, worker text, started_at timestamptz
);
create type intended_attempt as (
    tenant_id int, job_id uuid, number int, provider text, intent_at timestamptz
);
create type accepted_attempt as (
    tenant_id int, job_id uuid, number int, reference text, accepted_at timestamptz
);
create type ended_attempt as (
    tenant_id int, job_id uuid, number int, ended_at timestamptz, outcome text, error text
);
create type new_file as (
    tenant_id int, id uuid, wallet_id bigint, job_id uuid, attempt int, key text, name text, media_type text,
    size bigint, sha256 text, width int, height int, thumbnail_key text, created_at timestamptz
);
create type withheld_file as (
    tenant_id int, job_id uuid, id uuid
);
create type callback_key as (
    provider text, event text
);
create type new_callback as (
    provider text, event text, reference text, received_at timestamptz
);
create type judged_callback as (
    provider text, event text, verdict text, judged_at timestamptz, tenant_id int, job_id uuid
);
create type job_key as (
    tenant_id int, id uuid
);
create type key_scope as (
    wallet_id bigint, idempotency_key text
);
create type recent_scope as (
    wallet_id bigint, fingerprint text, window_millis bigint
);
create type new_job as (
    tenant_id int, id uuid, wallet_id bigint, effect_id int, workflow_id int, state job_state, priority int,
    events int, message text, max_failures int, max_interruptions int, funding_seq int, held bigint,
    hold_open boolean, run_seconds int, queue_seconds int, review boolean, safety_refund boolean,
    decline_consumes boolean, price_unit price_unit, price_rate bigint, error_code text, error_message text,
    idempotency_key text, fingerprint text, retry_of uuid, follows uuid, batch_id uuid, created_at timestamptz,
    due_at timestamptz, finished_at timestamptz, changed_at timestamptz
);
create type new_input as (
    tenant_id int, job_id uuid, input text
);
create type new_dispatch as (
    tenant_id int, job_id uuid, workflow_id int, state job_state, priority int, virtual_start bigint,
    due_at timestamptz, deadline_at timestamptz
);
create type changed_job as (
    tenant_id int, id uuid, state job_state, events int, progress int, step text, message text, summary text,
    attempts int, failures int, interruptions int, max_failures int, max_interruptions int, funding_seq int,
    held bigint, hold_open boolean, captured bigint, delivered bigint, error_code text, error_message text,
    due_at timestamptz, started_at timestamptz, finished_at timestamptz, changed_at timestamptz,
    overturned_at timestamptz, deleted_at timestamptz
);
create type changed_dispatch as (
    tenant_id int, job_id uuid, state job_state, due_at timestamptz, deadline_at timestamptz, lease_token uuid,
    worker text, lease_expires_at timestamptz, provider text
);
create type changed_share as (
    workflow_id int, tenant_id int, finish bigint
);
create type served_queue as (
    workflow_id int, served bigint
);
create type changed_wallet as (
    id bigint, balance bigint, active int, day bigint, today int
);
create type new_line as (
    wallet_id bigint, type ledger_type, amount bigint, captured bigint, balance_after bigint, job_id uuid,
    funding_seq int, key text, note text, at timestamptz
);
create type share_key as (
    workflow_id int, tenant_id int
);
create type wallet_owner as (
    tenant_id int, user_id text
);
