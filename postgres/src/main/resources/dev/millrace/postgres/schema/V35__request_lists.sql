-- Files of requests, one in each line, which become jobs one by one.

-- One list. What is in it is in its file; how far it was read is here, so that whoever goes on after a crash knows. A
-- claim is one node's turn; every change is fenced by it.
create table request_list (
    tenant_id     int         not null references tenant,
    id            uuid        not null,
    user_id       text        not null,
    workspace     text,
    effects       text[],
    dialect       text        not null,
    endpoint      text        not null check (length(endpoint) between 1 and 100),
    base          text        not null,
    metadata      jsonb,
    input_file    uuid        not null,
    state         text        not null default 'validating' check (state in (
                      'validating', 'failed', 'in_progress', 'canceling', 'finalizing', 'completed', 'expired',
                      'canceled')),
    ending        text        not null default 'completed' check (ending in ('completed', 'expired', 'canceled')),
    lines         int         check (lines >= 0),
    read_lines    int         not null default 0 check (read_lines >= 0),
    done          int         not null default 0 check (done >= 0),
    refused       int         not null default 0 check (refused >= 0),
    mistakes      jsonb,
    output_file   uuid,
    error_file    uuid,
    created_at    timestamptz not null default clock_timestamp(),
    began_at      timestamptz,
    canceling_at  timestamptz,
    finalizing_at timestamptz,
    ended_at      timestamptz,
    expires_at    timestamptz not null,
    claim         uuid,
    next_at       timestamptz not null default clock_timestamp(),
    primary key (tenant_id, id),
    check (read_lines <= coalesce(lines, 0)),
    check ((ended_at is not null) = (state in ('failed', 'completed', 'expired', 'canceled')))
);
create index request_list_live on request_list (next_at) where ended_at is null;

-- What became of a line: a job, or an answer that there is none.
create table request_list_line (
    tenant_id int   not null,
    list_id   uuid  not null,
    line      int   not null check (line > 0),
    custom_id text  not null,
    job_id    uuid,
    refusal   text,
    primary key (tenant_id, list_id, line),
    foreign key (tenant_id, list_id) references request_list on delete cascade,
    check ((job_id is null) <> (refusal is null))
);
