-- What a browser may have: tokens of users, tickets for streams, and the origins that its pages may come from.

-- From where a tenant's pages may ask, such as https://app.example.com or https://*.example.com.
alter table tenant add column allowed_origins text[] not null default '{}';

create index tenant_by_origin on tenant using gin (allowed_origins);

-- What a product's backend gives to the browser of one of its users. It is good for less than the key that made it, and
-- dies with it. Null is no bound.
create table user_token (
    tenant_id  int         not null,
    id         uuid        not null,
    key_id     uuid        not null,
    prefix     text        not null,
    hash       bytea       not null unique check (length(hash) = 32),
    user_id    text        not null,
    workspace  text        check (length(workspace) between 1 and 200),
    effects    text[],
    scopes     text[]      not null,
    most_jobs  int         check (most_jobs >= 1),
    used_jobs  int         not null default 0 check (used_jobs >= 0 and used_jobs <= most_jobs),
    created_at timestamptz not null default clock_timestamp(),
    ends_at    timestamptz not null,
    ended_at   timestamptz,
    primary key (tenant_id, id),
    foreign key (tenant_id, key_id) references api_key on delete cascade
);

create index user_token_by_end on user_token (least(ended_at, ends_at));

-- What opens one stream, once, where no header can be sent. It stands for whoever asked for it.
create table stream_ticket (
    hash          bytea       primary key check (length(hash) = 32),
    tenant_id     int         not null references tenant on delete cascade,
    credential    text        not null check (credential in ('key', 'token', 'identity')),
    credential_id uuid        not null,
    label         text        not null,
    user_id       text,
    workspace     text,
    path          text        not null check (length(path) <= 200),
    expires_at    timestamptz not null
);

create index stream_ticket_by_end on stream_ticket (expires_at);
