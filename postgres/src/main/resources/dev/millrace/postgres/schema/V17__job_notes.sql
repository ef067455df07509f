-- What whoever asked for a job wrote on it beside its workspace: metadata, what it belongs to, through which dialect it
-- came. Nothing is decided by it, so it lies with the input and not in the job's row, which is rewritten often.
alter table job_input add column notes jsonb;

-- A job's input with its notes. A node of the version before sends new_input, which a later version may drop.
create type noted_input as (
    tenant_id int, job_id uuid, input text, notes text
);
