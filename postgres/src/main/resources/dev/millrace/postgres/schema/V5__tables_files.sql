-- What users bring and what jobs make.

-- A file that is stored. A row stands before its object does, and is ready when the object was looked at. Deleted is
-- what nobody may see; erased, what is gone from the store too. While parts are waited for, upload_id is the store's
-- name for the upload and part_bytes the size of the parts; when the file is ready, neither means anything. approved is
-- what was decided about an output in review: null is open, and the job waits until none is. Hot: no foreign keys, no
-- checks (ADR 7); what must hold between the columns is the doctor's law "file_rows". key has no unique index, because
-- it contains the ids of its tenant, its job and itself.
create table file (
    tenant_id     int         not null,
    id            uuid        not null,
    wallet_id     bigint      not null,
    size          bigint      not null,
    created_at    timestamptz not null,
    withheld      boolean     not null default false,
    approved      boolean,
    job_id        uuid,
    attempt       int,
    width         int,
    height        int,
    part_bytes    bigint,
    expires_at    timestamptz,
    deleted_at    timestamptz,
    erased_at     timestamptz,
    kind          text        not null,
    state         text        not null default 'ready',
    key           text        not null,
    name          text        not null,
    media_type    text        not null,
    sha256        text,
    workspace     text,
    thumbnail_key text,
    upload_id     text,
    primary key (id, tenant_id)
);

-- Outputs that are small texts. As files each would cost several flushes of the disk; here they share that of the
-- commit that completes their job (ADR 19). Hot: no foreign key (ADR 7). Keys are compared as bytes, so that those
-- under a prefix are a range of the index.
create table text_output (
    key     text collate "C" primary key,
    content bytea not null
);
