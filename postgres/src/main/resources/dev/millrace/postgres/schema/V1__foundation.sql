-- The foundation of Millrace's schema.
--
-- Hot tables (job, job_input, dispatch, attempt, job_event, ledger) have no foreign keys: they cost a third of all
-- throughput. Their ids are consistent by construction, and `millrace doctor` proves it. Every row carries its tenant,
-- and every key of a tenant's table begins with it or is reached through one that does.

create type job_state as enum (
    'pending', 'queued', 'running', 'submitted', 'waiting_review', 'canceling',
    'completed', 'failed', 'dead_letter', 'rejected', 'canceled', 'expired', 'blocked'
);

create type ledger_type as enum (
    'payment_credit', 'job_reserve', 'job_consume', 'job_refund', 'adjustment'
);

-- The allowed ways between states. A test keeps it equal to the table in code; doctor checks history against it.
create table lifecycle_edge (
    from_state job_state,
    trigger    text      not null,
    to_state   job_state not null,
    unique nulls not distinct (from_state, trigger, to_state)
);

insert into lifecycle_edge (from_state, trigger, to_state) values
    (null,             'submit',              'queued'),
    (null,             'submit',              'pending'),
    (null,             'submit',              'blocked'),
    ('pending',        'due',                 'queued'),
    ('pending',        'lease',               'running'),
    ('queued',         'lease',               'running'),
    ('queued',         'policy_recheck',      'rejected'),
    ('pending',        'policy_recheck',      'rejected'),
    ('running',        'provider_accepted',   'submitted'),
    ('running',        'requeue',             'queued'),
    ('running',        'lease_lost',          'queued'),
    ('running',        'retryable_error',     'pending'),
    ('submitted',      'retryable_error',     'pending'),
    ('running',        'retryable_error',     'dead_letter'),
    ('submitted',      'retryable_error',     'dead_letter'),
    ('running',        'lease_lost',          'dead_letter'),
    ('submitted',      'lease_lost',          'dead_letter'),
    ('running',        'requeue',             'dead_letter'),
    ('running',        'permanent_error',     'failed'),
    ('submitted',      'permanent_error',     'failed'),
    ('running',        'complete',            'completed'),
    ('submitted',      'complete',            'completed'),
    ('running',        'complete',            'waiting_review'),
    ('submitted',      'complete',            'waiting_review'),
    ('running',        'safety_filter',       'rejected'),
    ('submitted',      'safety_filter',       'rejected'),
    ('waiting_review', 'approve',             'completed'),
    ('waiting_review', 'decline',             'rejected'),
    ('pending',        'cancel',              'canceled'),
    ('queued',         'cancel',              'canceled'),
    ('waiting_review', 'cancel',              'canceled'),
    ('running',        'cancel',              'canceling'),
    ('submitted',      'cancel',              'canceling'),
    ('canceling',      'cancel_acknowledged', 'canceled'),
    ('canceling',      'grace_over',          'canceled'),
    ('canceling',      'complete',            'completed'),
    ('pending',        'deadline',            'expired'),
    ('queued',         'deadline',            'expired'),
    ('running',        'deadline',            'expired'),
    ('submitted',      'deadline',            'expired'),
    ('waiting_review', 'deadline',            'expired'),
    ('canceling',      'deadline',            'expired'),
    ('failed',         'retry_in_place',      'pending'),
    ('dead_letter',    'retry_in_place',      'pending'),
    ('expired',        'retry_in_place',      'pending');

create table tenant (
    id         int generated always as identity primary key,
    slug       text        not null unique check (slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
    created_at timestamptz not null default clock_timestamp()
);

-- Only a hash of a key is stored. The prefix is for people to recognise it by.
create table api_key (
    tenant_id    int         not null references tenant,
    id           uuid        not null,
    name         text        not null check (length(name) between 1 and 200),
    prefix       text        not null,
    hash         bytea       not null unique check (length(hash) = 32),
    role         text        not null check (role in ('user', 'reviewer', 'admin')),
    user_id      text,
    created_at   timestamptz not null default clock_timestamp(),
    last_used_at timestamptz,
    revoked_at   timestamptz,
    primary key (tenant_id, id)
);

create table workflow (
    id       int generated always as identity primary key,
    slug     text not null unique,
    version  int  not null,
    executor text not null
);

create table effect (
    id           int generated always as identity primary key,
    slug         text   not null unique,
    workflow_id  int    not null references workflow,
    credits_cost bigint not null check (credits_cost >= 0)
);

create table wallet (
    id         bigint generated always as identity primary key,
    tenant_id  int         not null references tenant,
    user_id    text        not null check (length(user_id) between 1 and 200),
    balance    bigint      not null default 0 check (balance >= 0),
    created_at timestamptz not null default clock_timestamp(),
    unique (tenant_id, user_id)
) with (fillfactor = 70);

-- Append-only. A consume moves nothing and carries what was captured of the hold.
create table ledger (
    id            bigint generated always as identity primary key,
    tenant_id     int         not null,
    wallet_id     bigint      not null,
    type          ledger_type not null,
    amount        bigint      not null,
    captured      bigint      not null check (captured >= 0),
    balance_after bigint      not null check (balance_after >= 0),
    job_id        uuid,
    funding_seq   int         not null,
    key           text,
    note          text,
    at            timestamptz not null,
    check (case type
               when 'payment_credit' then amount > 0
               when 'job_reserve' then amount < 0
               when 'job_consume' then amount = 0 and captured > 0
               when 'job_refund' then amount > 0
               else true
           end),
    check (captured = 0 or type = 'job_consume'),
    check ((job_id is null) = (type in ('payment_credit', 'adjustment')))
);
create unique index ledger_once_per_funding on ledger (tenant_id, job_id, funding_seq, type) where job_id is not null;
create unique index ledger_once_per_key on ledger (wallet_id, key) where key is not null;
create index ledger_of_wallet on ledger (wallet_id, id);

create table job (
    tenant_id         int         not null,
    id                uuid        not null,
    wallet_id         bigint      not null,
    effect_id         int         not null,
    workflow_id       int         not null,
    state             job_state   not null,
    priority          smallint    not null,
    events            int         not null check (events > 0),
    progress          smallint    not null check (progress between 0 and 100),
    step              text,
    message           text,
    summary           jsonb,
    attempts          int         not null,
    failures          int         not null,
    interruptions     int         not null,
    max_failures      int         not null,
    max_interruptions int         not null,
    funding_seq       int         not null,
    held              bigint      not null check (held >= 0),
    hold_open         boolean     not null,
    captured          bigint      not null check (captured between 0 and held),
    run_seconds       int         not null check (run_seconds > 0),
    queue_seconds     int         not null check (queue_seconds > 0),
    review            boolean     not null,
    safety_refund     boolean     not null,
    error_code        text,
    error_message     text,
    idempotency_key   text        check (length(idempotency_key) between 1 and 200),
    fingerprint       text        not null,
    retry_of          uuid,
    created_at        timestamptz not null,
    due_at            timestamptz not null,
    started_at        timestamptz,
    finished_at       timestamptz,
    changed_at        timestamptz not null,
    deleted_at        timestamptz,
    primary key (tenant_id, id),
    check (failures between 0 and max_failures),
    check (interruptions between 0 and max_interruptions),
    check (hold_open = (state in ('pending', 'queued', 'running', 'submitted', 'waiting_review', 'canceling'))),
    check (not hold_open or captured = 0),
    check ((finished_at is null) = (state in
        ('pending', 'queued', 'running', 'submitted', 'waiting_review', 'canceling'))),
    check (deleted_at is null or finished_at is not null)
) with (fillfactor = 80);
create unique index job_once_per_key on job (wallet_id, idempotency_key) where idempotency_key is not null;
create index job_of_wallet on job (wallet_id, id);

create table job_input (
    tenant_id int   not null,
    job_id    uuid  not null,
    input     jsonb not null,
    primary key (tenant_id, job_id)
);

-- The live half of a job: its place in the queue, its lease, its deadline. A finished job has none, so that leasing
-- costs the same after ten million jobs. Whoever holds the lock of the job's row owns its dispatch too.
-- lease_expires_at is in no index, so that a heartbeat is a heap-only update.
create table dispatch (
    tenant_id        int         not null,
    job_id           uuid        not null,
    workflow_id      int         not null,
    state            job_state   not null,
    priority         smallint    not null,
    virtual_start    bigint      not null,
    due_at           timestamptz not null,
    deadline_at      timestamptz not null,
    lease_token      uuid,
    worker           text,
    lease_expires_at timestamptz,
    primary key (tenant_id, job_id),
    check (state in ('pending', 'queued', 'running', 'submitted', 'waiting_review', 'canceling')),
    check ((lease_token is null) = (worker is null) and (lease_token is null) = (lease_expires_at is null)),
    check (state <> 'running' or lease_token is not null),
    check (lease_token is null or state in ('running', 'submitted', 'canceling'))
) with (fillfactor = 70);
create index dispatch_queue on dispatch (workflow_id, priority desc, virtual_start, job_id) where state = 'queued';
create index dispatch_due on dispatch (due_at) where state = 'pending';
create index dispatch_deadline on dispatch (deadline_at);
create index dispatch_leased on dispatch (worker) where lease_token is not null;

-- Fairness between tenants: where each queue is, and where each tenant's newest job in it ends.
create table queue (
    workflow_id int primary key references workflow,
    served      bigint not null default 0
) with (fillfactor = 50);

create table share (
    workflow_id int    not null references workflow,
    tenant_id   int    not null references tenant,
    finish      bigint not null,
    primary key (workflow_id, tenant_id)
) with (fillfactor = 50);

create table attempt (
    tenant_id  int         not null,
    job_id     uuid        not null,
    number     int         not null check (number > 0),
    token      uuid        not null,
    worker     text        not null,
    started_at timestamptz not null,
    ended_at   timestamptz,
    outcome    text,
    error      text,
    primary key (tenant_id, job_id, number),
    check ((ended_at is null) = (outcome is null)),
    check (ended_at >= started_at)
);

-- Append-only history. seq counts from 1 within the job and is the cursor of every reader.
create table job_event (
    tenant_id  int         not null,
    job_id     uuid        not null,
    seq        int         not null check (seq > 0),
    trigger    text,
    from_state job_state,
    state      job_state   not null,
    progress   smallint    not null,
    step       text,
    message    text,
    summary    jsonb,
    attempt    int         not null,
    at         timestamptz not null,
    primary key (tenant_id, job_id, seq)
);

create table file (
    tenant_id     int         not null,
    id            uuid        not null,
    wallet_id     bigint      not null,
    job_id        uuid,
    attempt       int,
    kind          text        not null check (kind in ('output', 'upload')),
    key           text        not null unique,
    name          text        not null,
    media_type    text        not null,
    size          bigint      not null check (size >= 0),
    sha256        text        not null check (sha256 ~ '^[0-9a-f]{64}$'),
    width         int,
    height        int,
    thumbnail_key text,
    created_at    timestamptz not null,
    deleted_at    timestamptz,
    primary key (tenant_id, id),
    check ((kind = 'output') = (job_id is not null))
);
create index file_of_job on file (tenant_id, job_id) where job_id is not null;
create index file_of_wallet on file (wallet_id, id);

-- Append-only: who administered what.
create table audit (
    id        bigint generated always as identity primary key,
    tenant_id int         not null references tenant,
    actor     text        not null,
    action    text        not null,
    target    text        not null,
    detail    jsonb,
    at        timestamptz not null default clock_timestamp()
);
