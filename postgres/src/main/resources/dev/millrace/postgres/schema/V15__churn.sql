-- A claim reads past the index entries of those that were claimed before it, until a vacuum takes them away. The
-- table is small, so that a vacuum costs less than reading past a thousand of them a few times. It keeps its empty
-- pages: they are filled again at once, and giving them back would lock everybody out.
alter table dispatch set (autovacuum_vacuum_threshold = 1000, vacuum_truncate = off);
