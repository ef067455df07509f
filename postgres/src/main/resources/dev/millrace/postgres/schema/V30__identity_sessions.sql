-- Who is signed in to the console by an identity provider. Only a hash of the session's secret is stored, and no token.
-- The terms are a hash of the settings under which it was made: under others it is worth nothing.
create table identity_session (
    hash        bytea       primary key check (length(hash) = 32),
    terms       bytea       not null check (length(terms) = 32),
    tenant_id   int         not null references tenant on delete cascade,
    identity_id uuid        not null,
    label       text        not null,
    role        text        not null check (role in ('user', 'reviewer', 'admin', 'operator')),
    user_id     text,
    created_at  timestamptz not null default clock_timestamp(),
    expires_at  timestamptz not null,
    check (role <> 'user' or user_id is not null)
);

create index identity_session_expiry on identity_session (expires_at);
