-- Tenants that are made, limited, suspended and removed.
alter table tenant
    add column name                text        not null default '' check (length(name) <= 200),
    add column suspended_at        timestamptz,
    add column removing_at         timestamptz,
    add column requests_per_minute int         check (requests_per_minute > 0),
    add column burst               int         check (burst > 0),
    add column active_jobs         int         check (active_jobs >= 0),
    add column daily_jobs          int         check (daily_jobs >= 0),
    add column storage_bytes       bigint      check (storage_bytes >= 0),
    add column user_storage_bytes  bigint      check (user_storage_bytes >= 0),
    add column priority            int         check (priority between 0 and 100),
    add column origins             text[]      not null default '{}';

-- What a key is bound to. Null is no bound.
alter table api_key
    drop constraint api_key_role_check,
    add constraint api_key_role_check check (role in ('user', 'reviewer', 'admin', 'operator')),
    add column workspace   text check (length(workspace) between 1 and 200),
    add column effects     text[],
    add column scopes      text[],
    add column ends_at     timestamptz,
    add column replaced_by uuid;

-- A short-lived token that a key made for one user. It dies with its key.
create table user_token (
    hash       bytea       primary key check (length(hash) = 32),
    tenant_id  int         not null,
    id         uuid        not null,
    prefix     text        not null,
    key_id     uuid        not null,
    user_id    text        not null,
    workspace  text,
    effects    text[],
    scopes     text[]      not null,
    jobs_left  int         check (jobs_left >= 0),
    created_at timestamptz not null default clock_timestamp(),
    ends_at    timestamptz not null,
    foreign key (tenant_id, key_id) references api_key
);
create unique index user_token_id on user_token (tenant_id, id);
create index user_token_end on user_token (ends_at);

-- Lets one request in that can carry no header. Exactly one of its three sources says whose it is.
create table ticket (
    hash       bytea       primary key check (length(hash) = 32),
    path       text        not null,
    tenant_id  int         not null,
    key_id     uuid,
    token_id   uuid,
    identity   jsonb,
    expires_at timestamptz not null,
    check (num_nonnulls(key_id, token_id, identity) = 1),
    foreign key (tenant_id, key_id) references api_key
);
create index ticket_expiry on ticket (expires_at);

-- A session of somebody who came by an identity provider has no key.
alter table console_pass
    alter column key_id drop not null,
    add column identity jsonb,
    add constraint console_pass_source check (num_nonnulls(key_id, identity) = 1);

-- Lines about what all tenants share are the operator's to read.
alter table audit
    add column of_installation boolean not null default false;

-- A label of the tenant's own.
alter table job
    add column workspace text check (length(workspace) between 1 and 200);
create index job_of_workspace on job (tenant_id, workspace, id) where workspace is not null;
alter table file
    add column workspace text check (length(workspace) between 1 and 200);
alter table batch
    add column workspace text check (length(workspace) between 1 and 200);
alter type new_job add attribute workspace text;
alter type new_batch add attribute workspace text;
