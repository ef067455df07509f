-- What can be ordered, and how long it takes. The catalogue itself is YAML; here it gets its numbers.

-- What can be executed. Paused: jobs are taken in and wait. Resumed: a waiting job has its whole queue time again.
create table workflow (
    id         int generated always as identity primary key,
    slug       text not null unique,
    version    int  not null,
    executor   text not null,
    paused_at  timestamptz,
    resumed_at timestamptz
);

-- A priced preset over a workflow. concurrency is how many of its jobs may run at once; null for any number.
create table effect (
    id           int generated always as identity primary key,
    slug         text   not null unique,
    workflow_id  int    not null references workflow,
    credits_cost bigint not null check (credits_cost >= 0),
    concurrency  int    check (concurrency > 0),
    paused_at    timestamptz,
    resumed_at   timestamptz
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
