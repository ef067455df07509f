-- The fleet: workers that fetch their jobs, and what they may take.

-- A program on another machine that leases jobs. Only a hash of its token is stored. uid is what nodes wake its polls
-- by; the id may come back as another worker once this one is gone. Not ready is a worker that is there but can't run
-- anything, because what it runs jobs with is away or ill; both columns are null while it can, and for workers that
-- never say. Leases name a worker by its id without a foreign key: they outlive it, and are in hot tables (ADR 7).
create table worker (
    id               text        primary key check (id ~ '^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$'),
    uid              uuid        not null unique,
    token_hash       bytea       not null unique check (length(token_hash) = 32),
    max_concurrency  int         not null check (max_concurrency > 0),
    providers        text[],
    capabilities     jsonb       not null,
    registered_at    timestamptz not null default clock_timestamp(),
    last_seen_at     timestamptz not null default clock_timestamp(),
    approved_at      timestamptz,
    draining_at      timestamptz,
    revoked_at       timestamptz,
    not_ready_reason text,
    not_ready_since  timestamptz
) with (fillfactor = 70);

-- Which workflows a worker may take.
create table worker_workflow (
    worker_id   text not null references worker on delete cascade,
    workflow_id int  not null references workflow,
    primary key (worker_id, workflow_id)
);
