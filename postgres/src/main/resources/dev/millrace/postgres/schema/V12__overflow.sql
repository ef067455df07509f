-- A job that waits may be sent to another queue.
create type moved_job as (
    tenant_id int, id uuid, workflow_id int
);
