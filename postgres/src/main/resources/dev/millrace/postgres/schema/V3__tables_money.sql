-- Credits: who has how many, and by which lines they came and went.

-- Why a ledger line was written.
create type ledger_type as enum (
    'payment_credit', 'job_reserve', 'job_consume', 'job_refund', 'adjustment'
);

-- The credits of a user, and what he has going on: active jobs, and how many he began on the day that is counted. Every
-- submit and every settlement locks and writes this row. archived is the sum of his ledger lines that were taken out
-- with an old month, archived_line the newest of them. The check of the balance is the last guard of money.
create table wallet (
    id            bigint generated always as identity primary key,
    tenant_id     int         not null references tenant,
    active        int         not null default 0 check (active >= 0),
    balance       bigint      not null default 0 check (balance >= 0),
    day           bigint      not null default 0,
    archived      bigint      not null default 0,
    archived_line bigint      not null default 0,
    created_at    timestamptz not null default clock_timestamp(),
    today         int         not null default 0 check (today >= 0),
    active_limit  int         check (active_limit >= 0),
    daily_limit   int         check (daily_limit >= 0),
    user_id       text        not null check (length(user_id) between 1 and 200),
    unique (tenant_id, user_id)
) with (fillfactor = 70);

-- An identity can't be shared by partitions on every version of PostgreSQL, a sequence can. Within a wallet ids grow.
create sequence ledger_id_seq as bigint;

-- Append-only. A consume moves nothing and carries what was captured of the hold. Cut into months by the job's id, as
-- the events are; ids have no index, because nothing looks a line up by its id. Hot: no foreign keys, no checks
-- (ADR 7); the laws of the doctor say what they would.
create table ledger (
    id            bigint      not null default nextval('ledger_id_seq'),
    wallet_id     bigint      not null,
    tenant_id     int         not null,
    type          ledger_type not null,
    amount        bigint      not null,
    captured      bigint      not null,
    balance_after bigint      not null,
    at            timestamptz not null,
    funding_seq   int         not null,
    job_id        uuid,
    key           text,
    note          text
) partition by range (job_id);
