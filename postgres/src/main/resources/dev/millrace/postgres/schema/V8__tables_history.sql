-- History by month (ADR 12).
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

-- Append-only: what happened to a job. seq counts from 1 within the job and is the cursor of every reader. Hot: no
-- foreign keys, no checks (ADR 7).
create table job_event (
    tenant_id  int         not null,
    job_id     uuid        not null,
    seq        int         not null,
    at         timestamptz not null,
    attempt    int         not null,
    state      job_state   not null,
    progress   smallint    not null,
    from_state job_state,
    trigger    text,
    step       text,
    message    text,
    summary    jsonb,
    primary key (job_id, tenant_id, seq)
) partition by range (job_id);

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

-- Events of a clock that is months ahead, whose month has no partition yet.
create table job_event_default partition of job_event default;

-- Lines of no job (payments, adjustments), which are never taken out; and those of the month that is the database's
-- first, and of clocks that are ahead.
create table ledger_default partition of ledger default;

-- The first partition of the events is of everything up to the end of this month. Each of the next two months has one
-- of its own; a duty makes those after it.
do $$
declare
    this_month timestamp := date_trunc('month', now() at time zone 'UTC');
    starts     uuid;
    ends       uuid;
    suffix     text;
begin
    execute format('create table job_event_first partition of job_event for values from (minvalue) to (%L)',
        first_uuid((this_month + interval '1 month') at time zone 'UTC'));
    for n in 1..2 loop
        starts := first_uuid((this_month + n * interval '1 month') at time zone 'UTC');
        ends := first_uuid((this_month + (n + 1) * interval '1 month') at time zone 'UTC');
        suffix := to_char(this_month + n * interval '1 month', 'YYYY_MM');
        execute format('create table job_event_%s partition of job_event for values from (%L) to (%L)',
            suffix, starts, ends);
        execute format('create table ledger_%s partition of ledger for values from (%L) to (%L)',
            suffix, starts, ends);
    end loop;
end
$$;
