-- Files that users bring: a row stands before its object does, and is ready when the object was looked at.
-- What must hold between these columns, `millrace doctor` says (law "file_rows").

alter table file drop constraint if exists file_kind_check;
alter table file drop constraint if exists file_check;
alter table file drop constraint if exists file_withheld_is_an_output;
alter table file
    alter column sha256 drop not null,
    add column state      text not null default 'ready',
    add column expires_at timestamptz,
    add column erased_at  timestamptz;

update file set kind = 'input' where kind = 'upload';

-- Until now a file counted as deleted when its object was gone.
update file set erased_at = deleted_at where deleted_at is not null;

create index file_pending_of_wallet on file (wallet_id) where state = 'pending' and deleted_at is null;
create index file_pending_until on file (expires_at) where state = 'pending' and deleted_at is null;
create index file_to_erase on file (tenant_id, id) where deleted_at is not null and erased_at is null;
