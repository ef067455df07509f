-- All that is decided about a job is in its row. Until now its lease and its deadline were only in its dispatch, so
-- each report read two rows, in two statements since one that waits for a lock shows the other row as it was before,
-- and each heartbeat wrote two. The dispatch keeps what the queue, the caps and the reaper find jobs by; it is
-- written when that changes, which a heartbeat never does.

alter table job
    add column deadline_at      timestamptz,
    add column lease_token      uuid,
    add column worker           text,
    add column lease_expires_at timestamptz,
    add column provider         text;
update job j
set deadline_at = d.deadline_at,
    lease_token = d.lease_token,
    worker = d.worker,
    lease_expires_at = d.lease_expires_at,
    provider = d.provider
from dispatch d
where d.tenant_id = j.tenant_id
  and d.job_id = j.id;
alter table dispatch
    drop column lease_expires_at;

alter type new_job
    add attribute deadline_at timestamptz;
alter type changed_job
    add attribute deadline_at timestamptz,
    add attribute lease_token uuid,
    add attribute worker text,
    add attribute lease_expires_at timestamptz,
    add attribute provider text;
alter type changed_dispatch
    drop attribute lease_expires_at;

-- What a heartbeat changes.
create type told_job as (
    tenant_id int, id uuid, events int, progress int, step text, message text, summary text, changed_at timestamptz,
    lease_expires_at timestamptz
);

-- Room for one more version of a longer row, and for the end of every attempt: one in ten updates of a job and a
-- third of those of an attempt found none in their page, and wrote all indexes again.
alter table job set (fillfactor = 35);
alter table attempt set (fillfactor = 45);
