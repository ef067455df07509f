-- What a new job's summary begins with, if it begins with one: a retry that goes on with what was counted before.
create type first_summary as (
    tenant_id int, id uuid, summary text
);

-- The handing over of a job's items or rows to a product's endpoint, or into jobs (ADR 27). A job that does another one
-- again goes on with the same transfer, whose id is that of the first of them. Whatever was answered is counted here in
-- the statement that moves it on, so a run that comes after a crash begins where the last answer was.
create table transfer (
    tenant_id  int         not null references tenant,
    id         uuid        not null,
    holder     uuid        not null,
    attempt    int         not null check (attempt > 0),
    done       bigint      not null default 0 check (done >= 0),
    counts     jsonb       not null default '{}',
    changed_at timestamptz not null default clock_timestamp(),
    primary key (tenant_id, id)
) with (fillfactor = 50);

-- Transfers that nobody goes on with any more, to be swept.
create index transfer_age on transfer (changed_at);

-- What was wrong with a row, one line for each row.
create table transfer_error (
    tenant_id   int    not null,
    transfer_id uuid   not null,
    line        bigint not null,
    field       text   check (length(field) <= 200),
    message     text   not null check (length(message) between 1 and 500),
    primary key (tenant_id, transfer_id, line),
    foreign key (tenant_id, transfer_id) references transfer on delete cascade
);
