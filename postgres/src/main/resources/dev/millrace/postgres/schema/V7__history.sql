-- History by month.
--
-- A job's id begins with the time at which it was made, so a range of ids is a range of time. Events and ledger are cut
-- into months by the job's id: what is written today meets small tables, and an old month goes by being detached, which
-- costs the same however large it is. Months are those of UTC.

-- The least id that a job made at this instant can have.
create function first_uuid(instant timestamptz) returns uuid
    language sql
    immutable
    strict
    parallel safe
    return (lpad(to_hex(floor(extract(epoch from instant) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid;

-- What of a wallet's ledger is no longer here: the sum of its lines, and the newest of them.
alter table wallet
    add column archived      bigint not null default 0,
    add column archived_line bigint not null default 0;

-- One row for each month that was taken out. No event and no ledger line of a job with an id below job_before is
-- promised to be here any more.
create table archive (
    month       date        primary key,
    job_before  uuid        not null,
    lines       bigint      not null check (lines >= 0),
    events      bigint      not null check (events >= 0),
    detached_at timestamptz not null default clock_timestamp()
);

-- The history of jobs with an id from here on is whole.
create function history_begins() returns uuid
    language sql
    stable
    parallel safe
    return coalesce(
        (select job_before from archive order by job_before desc limit 1),
        '00000000-0000-0000-0000-000000000000'::uuid);

-- Events: the table as it was becomes the partition of everything up to the end of this month.
alter table job_event rename to job_event_first;
alter index job_event_pkey rename to job_event_first_pkey;
create table job_event (like job_event_first including defaults including storage including compression)
    partition by range (job_id);
alter table job_event add primary key (tenant_id, job_id, seq);
create table job_event_default partition of job_event default;

-- Ledger: the table as it was stays for lines of no job, and for the jobs up to the end of this month. An identity
-- can't be shared by partitions on every version of PostgreSQL, a sequence can. Ids still grow within a wallet.
alter table ledger rename to ledger_default;
alter table ledger_default
    drop constraint ledger_pkey,
    alter column id drop identity;
create sequence ledger_id_seq as bigint;
select setval('ledger_id_seq', coalesce(max(id), 0) + 1, false) from ledger_default;
alter table ledger_default alter column id set default nextval('ledger_id_seq');
drop index ledger_once_per_key;
alter index ledger_once_per_funding rename to ledger_default_once_per_funding;
alter index ledger_of_wallet rename to ledger_default_of_wallet;
create table ledger (like ledger_default including defaults including storage including compression)
    partition by range (job_id);
create unique index ledger_once_per_funding on ledger (tenant_id, job_id, funding_seq, type) where job_id is not null;
-- The job is null for every line that has a key. It is in the index because the key of partitions has to be.
create unique index ledger_once_per_key on ledger (wallet_id, key, job_id) nulls not distinct where key is not null;
create index ledger_of_wallet on ledger (wallet_id, id);

-- Ids from the future are those of a clock that was ahead; they go where they belong.
do $$
declare
    this_month timestamp := date_trunc('month', now() at time zone 'UTC');
    starts     timestamptz;
    ends       timestamptz;
    next_month uuid := first_uuid((this_month + interval '1 month') at time zone 'UTC');
    suffix     text;
begin
    create temporary table early_event on commit drop as
        select * from job_event_first where job_id >= next_month;
    delete from job_event_first where job_id >= next_month;
    create temporary table early_line on commit drop as
        select * from ledger_default where job_id >= next_month;
    delete from ledger_default where job_id >= next_month;

    execute format('alter table job_event attach partition job_event_first for values from (minvalue) to (%L)',
        next_month);
    for n in 1..2 loop
        starts := (this_month + n * interval '1 month') at time zone 'UTC';
        ends := (this_month + (n + 1) * interval '1 month') at time zone 'UTC';
        suffix := to_char(this_month + n * interval '1 month', 'YYYY_MM');
        execute format('create table job_event_%s partition of job_event for values from (%L) to (%L)',
            suffix, first_uuid(starts), first_uuid(ends));
        execute format('create table ledger_%s partition of ledger for values from (%L) to (%L)',
            suffix, first_uuid(starts), first_uuid(ends));
    end loop;
    alter table ledger attach partition ledger_default default;

    insert into job_event select * from early_event;
    insert into ledger select * from early_line;
end
$$;
