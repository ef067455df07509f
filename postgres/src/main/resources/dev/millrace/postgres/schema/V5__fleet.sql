-- The fleet: workers that pull their jobs, what they may take, and how busy the queues are.

-- Only a hash of a worker's token is stored. uid is what nodes wake its polls by; the id may come back as another
-- worker once this one is gone.
create table worker (
    id              text        primary key check (id ~ '^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$'),
    uid             uuid        not null unique,
    token_hash      bytea       not null unique check (length(token_hash) = 32),
    max_concurrency int         not null check (max_concurrency > 0),
    providers       text[],
    capabilities    jsonb       not null,
    registered_at   timestamptz not null default clock_timestamp(),
    last_seen_at    timestamptz not null default clock_timestamp(),
    approved_at     timestamptz,
    draining_at     timestamptz,
    revoked_at      timestamptz
) with (fillfactor = 70);

create table worker_workflow (
    worker_id   text not null references worker on delete cascade,
    workflow_id int  not null references workflow,
    primary key (worker_id, workflow_id)
);

-- How many of its jobs may run at once; null for any number.
alter table effect
    add column concurrency int check (concurrency > 0);

-- The claim passes over what may not start now without a look at the job.
alter table dispatch
    add column effect_id int;
update dispatch d
set effect_id = j.effect_id
from job j
where j.tenant_id = d.tenant_id
  and j.id = d.job_id;
alter table dispatch
    alter column effect_id set not null;
alter type new_dispatch add attribute effect_id int;

create type worker_key as (
    id text
);

-- How long an effect's attempts take: the last one, and a histogram that forgets slowly. Its buckets grow by a tenth.
create table effect_timing (
    effect_id    int         primary key references effect,
    last_seconds float8      not null check (last_seconds >= 0),
    counts       float8[]    not null,
    changed_at   timestamptz not null
) with (fillfactor = 50);

-- How many jobs of a workflow ended well in each minute of the last quarter of an hour.
create table throughput (
    workflow_id int    not null references workflow,
    minute      bigint not null,
    completed   int    not null check (completed > 0),
    primary key (workflow_id, minute)
) with (fillfactor = 50);
