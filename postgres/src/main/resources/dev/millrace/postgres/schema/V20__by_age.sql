-- What belongs to a job is found by the job first and the tenant second. Ids of jobs grow with time, so what is written
-- today goes to the end of each index, whoever it belongs to; with the tenant first it went to as many places as there
-- are tenants. Nothing here is ever listed by its tenant.

alter table job_input
    drop constraint job_input_pkey,
    add primary key (job_id, tenant_id);
alter table attempt
    drop constraint attempt_pkey,
    add primary key (job_id, tenant_id, number);
alter table job_event
    drop constraint job_event_pkey,
    add primary key (job_id, tenant_id, seq);
alter table file
    drop constraint file_pkey,
    add primary key (id, tenant_id);

drop index file_of_job;
create index file_of_job on file (job_id, tenant_id) where job_id is not null;
drop index ledger_once_per_funding;
create unique index ledger_once_per_funding on ledger (job_id, tenant_id, funding_seq, type) where job_id is not null;

-- A month that somebody began to make and did not attach yet would keep the old key, and could never be attached. It is
-- empty, and is made again.
do $$
declare
    begun   text;
    is_used boolean;
begin
    for begun in
        select c.relname
        from pg_class c
        join pg_namespace n on n.oid = c.relnamespace
        where c.relkind = 'r'
          and n.nspname = current_schema()
          and c.relname ~ '^(job_event|ledger)_[0-9]{4}_[0-9]{2}$'
          and not c.relispartition
          and not exists (
              select 1
              from archive a
              where to_char(a.month, 'YYYY_MM') = right(c.relname, 7))
    loop
        execute format('select exists (select 1 from %I)', begun) into is_used;
        if not is_used then
            execute format('drop table %I', begun);
        end if;
    end loop;
end
$$;
