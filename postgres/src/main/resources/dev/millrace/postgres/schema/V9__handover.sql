-- Work at outside providers: when to ask about it, who asks, and calls that can be matched without a reference.

-- A collector asks when ask_at has come, and nobody else does until asking_until. A null ask_at is now.
alter table dispatch
    add column ask_at       timestamptz,
    add column asking_until timestamptz,
    add column told_at      timestamptz;
create index dispatch_at_provider on dispatch (provider) where provider is not null;

alter table inbox
    add column intent text;
create index inbox_of_intent on inbox (provider, intent) where verdict = 'waiting' and intent is not null;
alter type new_callback add attribute intent text;

-- What arrived after its job had ended. It is kept apart until somebody with a role adopts it.
create table late_result (
    tenant_id   int         not null,
    job_id      uuid        not null,
    number      int         not null,
    files       jsonb       not null,
    summary     jsonb       not null,
    received_at timestamptz not null,
    state       text        not null default 'kept' check (state in ('kept', 'adopted')),
    decided_at  timestamptz,
    actor       text,
    primary key (tenant_id, job_id, number),
    check ((state = 'kept') = (decided_at is null))
);
