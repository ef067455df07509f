-- What a job was followed up by, and which deleted jobs still have something lying about.

alter table job
    add column cleaned_at timestamptz,
    add constraint job_cleaned_was_deleted check (cleaned_at is null or deleted_at is not null);

create index job_follows on job (tenant_id, follows) where follows is not null;
create index job_to_clean on job (tenant_id, id) where deleted_at is not null and cleaned_at is null;
