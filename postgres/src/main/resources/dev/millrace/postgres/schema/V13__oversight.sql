-- What the console shows to whoever keeps it running.

-- What endpoints were told of one job.
create index webhook_delivery_of_job on webhook_delivery (tenant_id, job_id, n) where job_id is not null;

-- Late results that somebody may still want.
create index late_result_kept on late_result (tenant_id, received_at) where state = 'kept';

-- The last time that the laws were checked by themselves. One row; who updates began_at does the checking.
create table checkup (
    one         boolean     primary key default true check (one),
    began_at    timestamptz not null default clock_timestamp(),
    ended_at    timestamptz,
    laws        int         not null default 0 check (laws >= 0),
    not_checked int         not null default 0 check (not_checked between 0 and laws),
    violated    text[]      not null default '{}'
);
insert into checkup default values;
