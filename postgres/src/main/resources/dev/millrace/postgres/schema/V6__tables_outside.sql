-- What services outside tell of their work.

-- What providers call back, stored before it is answered. Each ends with a verdict, and stays. No foreign key to the
-- job: the row stands before anybody knows which job is meant, and jobs have none (ADR 7).
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
    -- For a call that can be matched before the reference is known.
    intent      text,
    primary key (provider, event),
    check ((verdict = 'waiting') = (judged_at is null)),
    check ((tenant_id is null) = (job_id is null)),
    check ((job_id is not null) = (verdict in ('applied', 'late')))
);

-- What arrived after its job had ended. It is kept apart until somebody with a role adopts it. No foreign key to the
-- attempt: nothing refers to a hot table (ADR 7).
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
