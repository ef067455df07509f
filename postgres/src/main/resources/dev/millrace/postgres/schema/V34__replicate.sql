-- What jobs ask for themselves beside being done: to be told of, and to be canceled at a time.

-- The endpoint of a tenant that stands for all those which jobs name themselves. Its own url leads nowhere: each
-- delivery has the job's.
alter table webhook add column of_jobs boolean not null default false;
create unique index webhook_of_jobs on webhook (tenant_id) where of_jobs;
alter table webhook_delivery add column url text check (length(url) between 1 and 2000);

-- When a job is to be canceled if it lives so long, as text that sorts by time. Only jobs that ask for it are in it.
create index job_input_of_cancel on job_input ((notes ->> 'cancel_at')) where notes ->> 'cancel_at' is not null;

-- What whoever brought a file wrote on it.
alter table file add column notes jsonb;
