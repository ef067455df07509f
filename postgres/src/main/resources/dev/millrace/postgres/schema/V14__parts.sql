-- Large files come in parts. While one is waited for, its row knows the store's name for the upload and the size of the
-- parts; when it is ready, neither means anything any more.

alter table file
    add column upload_id  text,
    add column part_bytes bigint;
