-- Files that users bring: a row stands before its object does, and is ready when the object was looked at.

alter table file drop constraint file_kind_check;
alter table file drop constraint file_check;
update file set kind = 'input' where kind = 'upload';

alter table file
    alter column sha256 drop not null,
    add column state      text not null default 'ready' check (state in ('pending', 'ready')),
    add column expires_at timestamptz,
    add column erased_at  timestamptz,
    add constraint file_kind_is_known check (kind in ('input', 'output')),
    add constraint file_output_has_a_job check ((kind = 'output') = (job_id is not null)),
    add constraint file_pending_is_an_input check (state = 'ready' or kind = 'input'),
    add constraint file_pending_ends check ((state = 'pending') = (expires_at is not null)),
    add constraint file_ready_has_a_checksum check (state = 'pending' or sha256 is not null),
    add constraint file_erased_was_deleted check (erased_at is null or deleted_at is not null);

-- Until now a file counted as deleted when its object was gone.
update file set erased_at = deleted_at where deleted_at is not null;

create index file_pending_of_wallet on file (wallet_id) where state = 'pending' and deleted_at is null;
create index file_pending_until on file (expires_at) where state = 'pending' and deleted_at is null;
create index file_to_erase on file (tenant_id, id) where deleted_at is not null and erased_at is null;
