-- What the doctor compares with, and when it last looked.

-- The allowed ways between states. A test keeps it equal to the table in code; the doctor compares the history with it.
create table lifecycle_edge (
    from_state job_state,
    trigger    text      not null,
    to_state   job_state not null,
    unique nulls not distinct (from_state, trigger, to_state)
);

insert into lifecycle_edge (from_state, trigger, to_state) values
    (null,             'submit',              'queued'),
    (null,             'submit',              'pending'),
    (null,             'submit',              'blocked'),
    ('pending',        'due',                 'queued'),
    ('pending',        'lease',               'running'),
    ('queued',         'lease',               'running'),
    ('queued',         'policy_recheck',      'rejected'),
    ('pending',        'policy_recheck',      'rejected'),
    ('running',        'provider_accepted',   'submitted'),
    ('running',        'submit_unconfirmed',  'submitted'),
    ('running',        'requeue',             'queued'),
    ('running',        'lease_lost',          'queued'),
    ('running',        'retryable_error',     'pending'),
    ('submitted',      'retryable_error',     'pending'),
    ('running',        'retryable_error',     'dead_letter'),
    ('submitted',      'retryable_error',     'dead_letter'),
    ('running',        'lease_lost',          'dead_letter'),
    ('submitted',      'lease_lost',          'dead_letter'),
    ('running',        'requeue',             'dead_letter'),
    ('running',        'permanent_error',     'failed'),
    ('submitted',      'permanent_error',     'failed'),
    ('running',        'complete',            'completed'),
    ('submitted',      'complete',            'completed'),
    ('running',        'complete',            'waiting_review'),
    ('submitted',      'complete',            'waiting_review'),
    ('running',        'safety_filter',       'rejected'),
    ('submitted',      'safety_filter',       'rejected'),
    ('canceling',      'safety_filter',       'rejected'),
    ('waiting_review', 'approve',             'completed'),
    ('waiting_review', 'decline',             'rejected'),
    ('pending',        'cancel',              'canceled'),
    ('queued',         'cancel',              'canceled'),
    ('waiting_review', 'cancel',              'canceled'),
    ('running',        'cancel',              'canceling'),
    ('submitted',      'cancel',              'canceling'),
    ('canceling',      'cancel_acknowledged', 'canceled'),
    ('canceling',      'grace_over',          'canceled'),
    ('canceling',      'complete',            'completed'),
    ('pending',        'deadline',            'expired'),
    ('queued',         'deadline',            'expired'),
    ('running',        'deadline',            'expired'),
    ('submitted',      'deadline',            'expired'),
    ('waiting_review', 'deadline',            'expired'),
    ('canceling',      'deadline',            'expired'),
    ('failed',         'retry_in_place',      'pending'),
    ('dead_letter',    'retry_in_place',      'pending'),
    ('expired',        'retry_in_place',      'pending');

-- The last time that the laws were checked by themselves. One row; who updates began_at does the checking.
create table checkup (
    one         boolean     primary key default true check (one),
    began_at    timestamptz not null default clock_timestamp(),
    ended_at    timestamptz,
    laws        int         not null default 0 check (laws >= 0),
    not_checked int         not null default 0 check (not_checked between 0 and laws),
    violated    text[]      not null default '{}'
);
insert into checkup default values;
