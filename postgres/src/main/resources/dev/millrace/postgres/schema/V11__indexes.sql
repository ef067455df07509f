-- The indexes beside the keys, each with the question that it answers. Most are partial: what nobody asks about costs
-- nothing. What is declared on a partitioned table is made on each of its partitions.

-- Tenants ------------------------------------------------------------------------------------------

-- Passes to the console that are over, to be swept.
create index console_pass_expiry on console_pass (expires_at);

-- A tenant's audit, the newest first.
create index audit_of_tenant on audit (tenant_id, id);

-- Money --------------------------------------------------------------------------------------------

-- A hold is reserved, consumed and refunded once: the last guard against booking twice. The job comes first because
-- ids of jobs grow with time.
create unique index ledger_once_per_funding on ledger (job_id, tenant_id, funding_seq, type) where job_id is not null;

-- A payment or adjustment is booked once per key. The job is null for every line that has a key; it is in the index
-- because the key of partitions has to be.
create unique index ledger_once_per_key on ledger (wallet_id, key, job_id) nulls not distinct where key is not null;

-- A wallet's lines, the newest first, and their sum for the doctor.
create index ledger_of_wallet on ledger (wallet_id, id);

-- Jobs ---------------------------------------------------------------------------------------------

-- A key makes one job, and a submit that is repeated finds it.
create unique index job_once_per_key on job (wallet_id, idempotency_key) where idempotency_key is not null;

-- A user's jobs, the newest first, and those among the newest that asked for the same.
create index job_of_wallet on job (wallet_id, id);

-- The jobs of a batch: its state, and actions on all of them.
create index job_of_batch on job (tenant_id, batch_id, id) where batch_id is not null;

-- The jobs of a workspace, the newest first.
create index job_of_workspace on job (tenant_id, workspace, id) where workspace is not null;

-- What a job was followed up by.
create index job_follows on job (tenant_id, follows) where follows is not null;

-- Deleted jobs that still have something lying about, to be swept.
create index job_to_clean on job (tenant_id, id) where deleted_at is not null and cleaned_at is null;

-- A queue in the order in which the claim takes jobs from it.
create index dispatch_queue on dispatch (workflow_id, priority desc, virtual_start, job_id) where state = 'queued';

-- Pending jobs whose time has come.
create index dispatch_due on dispatch (due_at) where state = 'pending';

-- Live jobs whose deadline is over, for the reaper.
create index dispatch_deadline on dispatch (deadline_at);

-- Leased jobs: what a worker holds, how many run, and those whose lease may have run out. When that is stands in the
-- job's row only, so that a heartbeat writes no index.
create index dispatch_leased on dispatch (worker) where lease_token is not null;

-- Jobs that a provider has: those to ask about, and how many there are.
create index dispatch_at_provider on dispatch (provider) where provider is not null;

-- The attempt that a callback means; a provider's reference is that of one attempt.
create unique index attempt_of_reference on attempt (provider, reference) where reference is not null;

-- A key makes one batch.
create unique index batch_once_per_key on batch (wallet_id, idempotency_key) where idempotency_key is not null;

-- A user's batches, the newest first.
create index batch_of_wallet on batch (wallet_id, id);

-- Tasks that are not done, the oldest first, for whoever works on them.
create index task_open on task (created_at) where finished_at is null;

-- Files --------------------------------------------------------------------------------------------

-- The files of a job. The job comes first because ids of jobs grow with time.
create index file_of_job on file (job_id, tenant_id) where job_id is not null;

-- A user's files, the newest first.
create index file_of_wallet on file (wallet_id, id);

-- How many uploads a user has begun.
create index file_pending_of_wallet on file (wallet_id) where state = 'pending' and deleted_at is null;

-- Uploads that nobody finished, to be swept.
create index file_pending_until on file (expires_at) where state = 'pending' and deleted_at is null;

-- Deleted files that are still in the store, to be swept.
create index file_to_erase on file (tenant_id, id) where deleted_at is not null and erased_at is null;

-- Outside ------------------------------------------------------------------------------------------

-- Callbacks that no job has heard yet, by the provider's reference; also all of them, for the collector.
create index inbox_waiting on inbox (provider, reference) where verdict = 'waiting';

-- The same by our own name for the call, where the provider sends it back.
create index inbox_of_intent on inbox (provider, intent) where verdict = 'waiting' and intent is not null;

-- Late results that somebody may still want.
create index late_result_kept on late_result (tenant_id, received_at) where state = 'kept';

-- History ------------------------------------------------------------------------------------------

-- Events by their time, for webhooks, without an index entry for each of them: a BRIN keeps the least and the greatest
-- time of a few pages. Inserts into pages that are not summarised yet only look; the reader summarises.
create index job_event_at on job_event using brin (at) with (pages_per_range = 32, autosummarize = off);

-- Webhooks -----------------------------------------------------------------------------------------

-- What is to be sent to an endpoint, the most urgent first.
create index webhook_delivery_due on webhook_delivery (tenant_id, webhook_id, next_at) where state = 'pending';

-- An endpoint's deliveries, the newest first.
create index webhook_delivery_listed on webhook_delivery (tenant_id, webhook_id, n);

-- What endpoints were told of one job.
create index webhook_delivery_of_job on webhook_delivery (tenant_id, job_id, n) where job_id is not null;

-- Old deliveries, to be swept.
create index webhook_delivery_age on webhook_delivery (created_at);
