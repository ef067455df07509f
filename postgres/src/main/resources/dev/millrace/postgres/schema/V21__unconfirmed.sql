-- A submit of which nobody knows whether it was taken, and the safety filter that is quicker than a cancel.

insert into lifecycle_edge (from_state, trigger, to_state) values
    ('running',   'submit_unconfirmed', 'submitted'),
    ('canceling', 'safety_filter',      'rejected');

-- Since when the provider is asked, and of how many earlier attempts, of which nobody had heard, it had said what
-- became of them before this one was sent. Null where nobody counted.
alter table attempt
    add column unconfirmed_at timestamptz,
    add column settled_before int;

create type attempt_intent as (
    tenant_id int, job_id uuid, number int, provider text, settled_before int, intent_at timestamptz
);
create type attempt_acceptance as (
    tenant_id int, job_id uuid, number int, provider text, reference text, accepted_at timestamptz
);
create type unconfirmed_attempt as (
    tenant_id int, job_id uuid, number int, unconfirmed_at timestamptz
);
