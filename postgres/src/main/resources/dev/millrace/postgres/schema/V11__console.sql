-- Who is signed in to the console. A pass is a secret that its holder shows; only its hash is kept.
-- A link is a pass that works once and becomes a session.

create table console_pass (
    hash       bytea       primary key check (length(hash) = 32),
    kind       text        not null check (kind in ('link', 'session')),
    tenant_id  int         not null,
    key_id     uuid        not null,
    created_at timestamptz not null default clock_timestamp(),
    expires_at timestamptz not null,
    foreign key (tenant_id, key_id) references api_key
);
create index console_pass_expiry on console_pass (expires_at);
