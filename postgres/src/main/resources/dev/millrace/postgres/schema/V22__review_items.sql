-- Outputs of a result are decided about one by one: null is open, and the job waits until none is.
alter table file
    add column approved boolean;

create type reviewed_file as (
    tenant_id int, job_id uuid, id uuid, approved boolean
);
