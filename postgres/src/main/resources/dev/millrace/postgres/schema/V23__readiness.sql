-- A worker that is there but can't run anything now, because what it runs jobs with is away or ill. Both are null while
-- it can, and for workers that never say.
alter table worker
    add column not_ready_reason text,
    add column not_ready_since  timestamptz;
