-- Outputs that are small texts. As files each would cost several flushes of the disk; here they share one.
create table text_output (
    key text collate "C" primary key,
    content bytea not null
);

-- What is written is committed on the same way, so nobody could look at the number of rows in between.
create function require_rows(written bigint, expected int) returns void
language plpgsql
as $$
begin
    if written <> expected then
        raise exception 'wrote % rows of %', written, expected;
    end if;
end
$$;

-- Keys and requests are looked up by their user: then it can be done on the way on which the wallet is locked.
create type own_key as (
    tenant_id int, user_id text, idempotency_key text
);
create type own_request as (
    tenant_id int, user_id text, fingerprint text, window_millis bigint
);
drop type key_scope;
drop type recent_scope;
