-- Jobs, their places in the queues, and the tries at them.
--
-- The hot tables (job, job_input, dispatch, attempt, and in other files ledger, job_event, file, text_output) have no
-- foreign keys, because these cost a third of all throughput (ADR 7), and no checks: PostgreSQL reads and prepares each
-- of them anew for every statement that writes. What both would say, the laws of `millrace doctor` say.

-- Where a job is, in the order in which the lifecycle tells it: all before 'completed' are live.
create type job_state as enum (
    'pending', 'queued', 'running', 'submitted', 'waiting_review', 'canceling',
    'completed', 'failed', 'dead_letter', 'rejected', 'canceled', 'expired', 'blocked'
);

-- What a price is counted by.
create type price_unit as enum ('job', 'output', 'second');

-- All that is decided about a job, so that one statement locks and reads it (ADR 20). Fixed widths come first, which
-- costs least to read. The fillfactor leaves room for the next versions of a row in its own page: a job is changed
-- three times soon after it was made, and no index has a column that then changes, so that no index is written again.
create table job (
    tenant_id         int         not null,
    id                uuid        not null,
    wallet_id         bigint      not null,
    effect_id         int         not null,
    workflow_id       int         not null,
    state             job_state   not null,
    priority          smallint    not null,
    progress          smallint    not null,
    -- What was counted, and how far it may go.
    events            int         not null,
    attempts          int         not null,
    failures          int         not null,
    interruptions     int         not null,
    max_failures      int         not null,
    max_interruptions int         not null,
    funding_seq       int         not null,
    run_seconds       int         not null,
    queue_seconds     int         not null,
    -- The terms, and the money.
    price_unit        price_unit  not null default 'job',
    price_rate        bigint      not null default 0,
    held              bigint      not null,
    captured          bigint      not null,
    delivered         bigint      not null default 0,
    hold_open         boolean     not null,
    review            boolean     not null,
    safety_refund     boolean     not null,
    decline_consumes  boolean     not null default false,
    -- Times.
    created_at        timestamptz not null,
    due_at            timestamptz not null,
    changed_at        timestamptz not null,
    started_at        timestamptz,
    deadline_at       timestamptz,
    finished_at       timestamptz,
    overturned_at     timestamptz,
    deleted_at        timestamptz,
    cleaned_at        timestamptz,
    -- Other jobs that it belongs to.
    retry_of          uuid,
    follows           uuid,
    batch_id          uuid,
    -- Who has it.
    lease_token       uuid,
    lease_expires_at  timestamptz,
    worker            text,
    provider          text,
    -- What it was asked by.
    fingerprint       text        not null,
    workspace         text,
    idempotency_key   text,
    -- What is told of it.
    step              text,
    message           text,
    summary           jsonb,
    error_code        text,
    error_message     text,
    primary key (tenant_id, id)
) with (fillfactor = 35);

-- What a job is to be made from, apart from its row, which is rewritten often. The job comes first in the key here and
-- in all that belongs to a job: ids of jobs grow with time, so what is written today goes to the end of the index,
-- whoever it belongs to.
create table job_input (
    tenant_id int   not null,
    job_id    uuid  not null,
    input     jsonb not null,
    primary key (job_id, tenant_id)
);

-- A live job's place in the queue: what the queue, the caps, the reaper and the collectors find jobs by. A finished job
-- has none, so that leasing costs the same after ten million jobs (ADR 8). Whoever holds the lock of the job's row owns
-- its dispatch too. effect_id is here so that the claim passes over what may not start without a look at the job.
-- A collector asks a provider when ask_at has come, null for at once, and nobody else does until asking_until; told_at
-- is when the provider was told to cancel.
-- A claim reads past the index entries of those that were claimed before it, until a vacuum takes them away. The table
-- is small, so that a vacuum costs less than reading past a thousand of them a few times. It keeps its empty pages:
-- they are filled again at once, and giving them back would lock everybody out.
create table dispatch (
    tenant_id     int         not null,
    job_id        uuid        not null,
    workflow_id   int         not null,
    effect_id     int         not null,
    state         job_state   not null,
    priority      smallint    not null,
    virtual_start bigint      not null,
    due_at        timestamptz not null,
    deadline_at   timestamptz not null,
    ask_at        timestamptz,
    asking_until  timestamptz,
    told_at       timestamptz,
    lease_token   uuid,
    worker        text,
    provider      text,
    primary key (tenant_id, job_id)
) with (
    fillfactor = 40, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
    autovacuum_vacuum_cost_delay = 0, vacuum_truncate = off
);

-- One try at a job. The intent stands before the call to a provider, the reference after it (ADR 21). unconfirmed_at is
-- since when the provider is asked whether it has the work; settled_before is of how many earlier attempts, of which
-- nobody had heard, it had said what became of them before this one was sent, null where nobody counted. The
-- fillfactor leaves room for the row's end in its own page.
create table attempt (
    tenant_id      int         not null,
    job_id         uuid        not null,
    number         int         not null,
    token          uuid        not null,
    started_at     timestamptz not null,
    ended_at       timestamptz,
    intent_at      timestamptz,
    accepted_at    timestamptz,
    unconfirmed_at timestamptz,
    settled_before int,
    worker         text        not null,
    outcome        text,
    error          text,
    provider       text,
    reference      text,
    primary key (job_id, tenant_id, number)
) with (fillfactor = 45);

-- Jobs that were submitted in one request. One row for many jobs, so it can afford its foreign key and its checks.
create table batch (
    tenant_id       int         not null,
    id              uuid        not null,
    wallet_id       bigint      not null references wallet,
    idempotency_key text        check (length(idempotency_key) between 1 and 200),
    fingerprint     text        not null,
    atomic          boolean     not null,
    size            int         not null check (size between 1 and 1000),
    workspace       text,
    created_at      timestamptz not null,
    primary key (tenant_id, id)
);

-- Fairness between tenants, one half: how far each queue has come.
create table queue (
    workflow_id int    primary key references workflow,
    served      bigint not null default 0
) with (fillfactor = 50);

-- The other half: where each tenant's newest job in a queue ends.
create table share (
    workflow_id int    not null references workflow,
    tenant_id   int    not null references tenant,
    finish      bigint not null,
    primary key (workflow_id, tenant_id)
) with (fillfactor = 50);

-- One action on every job that a filter names, page by page, so that it survives the node that began it. newest and
-- cursor are ids of jobs and only bounds: such a job need not be there.
create table task (
    tenant_id     int         not null references tenant,
    id            uuid        not null,
    action        text        not null check (action in ('retry', 'cancel', 'delete', 'recheck')),
    filter        jsonb       not null,
    state         text        not null check (state in ('running', 'stopping', 'stopped', 'done')),
    actor         text        not null,
    newest        uuid        not null,
    cursor        uuid,
    seen          int         not null default 0,
    done          int         not null default 0,
    skipped       int         not null default 0,
    failed        int         not null default 0,
    credits       bigint      not null default 0,
    claimed_until timestamptz,
    created_at    timestamptz not null,
    finished_at   timestamptz,
    primary key (tenant_id, id),
    check ((finished_at is null) = (state in ('running', 'stopping')))
);
