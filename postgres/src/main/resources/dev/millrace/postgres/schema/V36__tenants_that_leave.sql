-- Tenants that leave: that all of theirs was handed out, and how far their removal is.

-- The newest export that was made whole: when it began, a hash of the receipt that stands at its end, and what was live
-- then. Whoever is being removed stays suspended, which the check also keeps a node of the version before from
-- changing. The row of a removed tenant stays, so that its slug is never given away again.
alter table tenant
    add column exported_at     timestamptz,
    add column export_hash     bytea check (length(export_hash) = 32),
    add column export_standing text,
    add column removing_at     timestamptz,
    add column removed_at      timestamptz,
    add constraint tenant_removal check (
        (removing_at is null or suspended_at is not null)
        and (removed_at is null or removing_at is not null));

-- Tenants of which something is left to remove.
create index tenant_removing on tenant (removing_at) where removing_at is not null and removed_at is null;

-- A tenant's users as bytes, so that those with a prefix are a range.
create index wallet_by_user on wallet (tenant_id, user_id collate "C");

-- What services told of a job, for whoever removes the job.
create index inbox_of_job on inbox (tenant_id, job_id) where job_id is not null;
