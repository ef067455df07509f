-- Outgoing webhooks: who wants to be told what, what is to be sent, and what became of it (ADR 15).

-- An endpoint of a product. The secret itself is nowhere: it is derived from the installation's own, the id and the
-- number. The hash tells whether the right one was derived; the previous one counts until previous_until.
create table webhook (
    tenant_id      int         not null references tenant,
    id             uuid        not null,
    url            text        not null check (length(url) between 1 and 2000),
    description    text        check (length(description) between 1 and 200),
    events         text[]      not null check (cardinality(events) between 1 and 50),
    secret_number  int         not null default 1 check (secret_number > 0),
    secret_hash    bytea       not null check (length(secret_hash) = 32),
    previous_hash  bytea       check (length(previous_hash) = 32),
    previous_until timestamptz,
    created_at     timestamptz not null default clock_timestamp(),
    since          timestamptz not null default clock_timestamp(),
    asked_at       timestamptz not null default clock_timestamp(),
    failing_since  timestamptz,
    disabled_at    timestamptz,
    disabled_for   text        check (disabled_for in ('asked', 'gone', 'failing')),
    primary key (tenant_id, id),
    check ((disabled_at is null) = (disabled_for is null)),
    check ((previous_hash is null) = (previous_until is null))
);

-- One row for each event that an endpoint asked for. The message's id is made of the job and the event, so it is the
-- same however often the event is read. No foreign key to the event: its month may be taken out before, and nothing
-- refers to a hot table (ADR 7).
create table webhook_delivery (
    n           bigint generated always as identity primary key,
    tenant_id   int         not null,
    webhook_id  uuid        not null,
    message     text        not null check (message ~ '^msg_[0-9a-z_]{1,60}$'),
    type        text        not null,
    job_id      uuid,
    seq         int,
    payload     text        not null,
    state       text        not null default 'pending' check (state in ('pending', 'delivered', 'failed', 'held')),
    attempts    int         not null default 0 check (attempts >= 0),
    created_at  timestamptz not null default clock_timestamp(),
    next_at     timestamptz not null default clock_timestamp(),
    give_up_at  timestamptz not null,
    finished_at timestamptz,
    unique (tenant_id, webhook_id, message),
    foreign key (tenant_id, webhook_id) references webhook on delete cascade,
    check ((job_id is null) = (seq is null)),
    check ((finished_at is null) = (state in ('pending', 'held')))
) with (fillfactor = 80);

-- What the other side said each time.
create table webhook_attempt (
    delivery bigint      not null references webhook_delivery on delete cascade,
    number   int         not null check (number > 0),
    sent_at  timestamptz not null,
    millis   int         not null check (millis >= 0),
    status   int,
    error    text,
    excerpt  text,
    primary key (delivery, number),
    check ((status is null) <> (error is null))
);

-- Up to where the events have been read. One row, locked by the node that reads.
create table webhook_cursor (
    one         boolean     primary key default true check (one),
    read_before timestamptz not null
);
insert into webhook_cursor (read_before) values (clock_timestamp());
