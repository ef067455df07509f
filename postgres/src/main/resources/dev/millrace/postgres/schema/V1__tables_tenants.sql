-- Tenants, who may act for them, and who administered what.

-- The customers. Everything else belongs to exactly one of them, or to none.
-- A limit that is null is what is usual in this installation. Who is suspended is not let in.
create table tenant (
    id           int         generated always as identity primary key,
    slug         text        not null unique check (slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
    name         text        not null default '' check (length(name) <= 200),
    created_at   timestamptz not null default clock_timestamp(),
    suspended_at timestamptz,
    active_jobs  int         check (active_jobs >= 0),
    daily_jobs   int         check (daily_jobs >= 0),
    priority     int         check (priority between 0 and 100)
);

-- What a program shows to be let in. Only a hash of it is stored; the prefix is for people to recognise it by. The
-- user, the workspace, the effects and the scopes bind it to them; null is no bound.
create table api_key (
    tenant_id    int         not null references tenant,
    id           uuid        not null,
    name         text        not null check (length(name) between 1 and 200),
    prefix       text        not null,
    hash         bytea       not null unique check (length(hash) = 32),
    role         text        not null check (role in ('user', 'reviewer', 'admin', 'operator')),
    user_id      text,
    workspace    text        check (length(workspace) between 1 and 200),
    effects      text[],
    scopes       text[],
    created_at   timestamptz not null default clock_timestamp(),
    last_used_at timestamptz,
    ends_at      timestamptz,
    revoked_at   timestamptz,
    replaced_by  uuid,
    primary key (tenant_id, id)
);

-- Who is signed in to the console. A pass is a secret that its holder shows; only its hash is stored. A link is a pass
-- that works once and becomes a session.
create table console_pass (
    hash       bytea       primary key check (length(hash) = 32),
    kind       text        not null check (kind in ('link', 'session')),
    tenant_id  int         not null,
    key_id     uuid        not null,
    created_at timestamptz not null default clock_timestamp(),
    expires_at timestamptz not null,
    foreign key (tenant_id, key_id) references api_key
);

-- Append-only: who administered what. Lines about what all tenants share are for operators to read.
create table audit (
    id              bigint generated always as identity primary key,
    tenant_id       int         not null references tenant,
    of_installation boolean     not null default false,
    actor           text        not null,
    action          text        not null,
    target          text        not null,
    detail          jsonb,
    at              timestamptz not null default clock_timestamp()
);
