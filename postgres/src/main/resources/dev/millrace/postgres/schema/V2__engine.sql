-- Everything that a job can live through: prices, reviews, retries in place, outside providers, batches, pauses, tasks.

-- What a user has going on. Every submit and every settlement locks and writes this row in any case.
alter table wallet
    add column active       int    not null default 0 check (active >= 0),
    add column day          bigint not null default 0,
    add column today        int    not null default 0 check (today >= 0),
    add column active_limit int    check (active_limit >= 0),
    add column daily_limit  int    check (daily_limit >= 0);

update wallet w
set active = (
    select count(*)
    from job j
    where j.wallet_id = w.id
      and j.hold_open);

create type price_unit as enum ('job', 'output', 'second');

alter table job
    add column price_unit       price_unit not null default 'job',
    add column price_rate       bigint     not null default 0 check (price_rate >= 0),
    add column decline_consumes boolean    not null default false,
    add column delivered        bigint     not null default 0 check (delivered >= 0),
    add column follows          uuid,
    add column batch_id         uuid,
    add column overturned_at    timestamptz,
    add constraint job_overturned_was_rejected check (overturned_at is null or state = 'rejected');
create index job_of_batch on job (tenant_id, batch_id, id) where batch_id is not null;

alter table dispatch
    add column provider text,
    add constraint dispatch_provider_has_a_lease check (provider is null or lease_token is not null);

-- The intent stands before the call to the provider, the reference after it.
alter table attempt
    add column provider    text,
    add column intent_at   timestamptz,
    add column reference   text,
    add column accepted_at timestamptz,
    add constraint attempt_intent_names_a_provider check ((provider is null) = (intent_at is null)),
    add constraint attempt_reference_is_dated check ((reference is null) = (accepted_at is null)),
    add constraint attempt_intent_precedes_reference check (reference is null or intent_at <= accepted_at);
create unique index attempt_of_reference on attempt (provider, reference) where reference is not null;

alter table file
    add column withheld boolean not null default false,
    add constraint file_withheld_is_an_output check (not withheld or kind = 'output');

-- Paused: jobs are taken in and wait. Resumed: a waiting job has its whole queue time again.
alter table workflow
    add column paused_at  timestamptz,
    add column resumed_at timestamptz;
alter table effect
    add column paused_at  timestamptz,
    add column resumed_at timestamptz;

create table batch (
    tenant_id       int         not null,
    id              uuid        not null,
    wallet_id       bigint      not null references wallet,
    idempotency_key text        check (length(idempotency_key) between 1 and 200),
    fingerprint     text        not null,
    atomic          boolean     not null,
    size            int         not null check (size between 1 and 1000),
    created_at      timestamptz not null,
    primary key (tenant_id, id)
);
create unique index batch_once_per_key on batch (wallet_id, idempotency_key) where idempotency_key is not null;
create index batch_of_wallet on batch (wallet_id, id);

-- What providers call back, stored before it is answered. Each ends with a verdict, and stays.
create table inbox (
    provider    text        not null,
    event       text        not null,
    reference   text        not null,
    verdict     text        not null default 'waiting'
        check (verdict in ('waiting', 'applied', 'late', 'unmatched')),
    deliveries  int         not null default 1 check (deliveries > 0),
    received_at timestamptz not null,
    judged_at   timestamptz,
    tenant_id   int,
    job_id      uuid,
    primary key (provider, event),
    check ((verdict = 'waiting') = (judged_at is null)),
    check ((tenant_id is null) = (job_id is null)),
    check ((job_id is not null) = (verdict in ('applied', 'late')))
);
create index inbox_waiting on inbox (provider, reference) where verdict = 'waiting';

create index audit_of_tenant on audit (tenant_id, id);

-- A job done on many jobs, page by page, so that it survives the node that began it.
create table task (
    tenant_id     int         not null references tenant,
    id            uuid        not null,
    action        text        not null check (action in ('retry', 'cancel', 'delete', 'recheck')),
    filter        jsonb       not null,
    state         text        not null check (state in ('running', 'stopping', 'stopped', 'done')),
    actor         text        not null,
    newest        uuid        not null,
    cursor        uuid,
    seen          int         not null default 0,
    done          int         not null default 0,
    skipped       int         not null default 0,
    failed        int         not null default 0,
    credits       bigint      not null default 0,
    claimed_until timestamptz,
    created_at    timestamptz not null,
    finished_at   timestamptz,
    primary key (tenant_id, id),
    check ((finished_at is null) = (state in ('running', 'stopping')))
);
create index task_open on task (created_at) where finished_at is null;
