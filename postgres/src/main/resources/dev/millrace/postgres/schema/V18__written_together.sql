-- A node remembers which wallet is whose, so wallets are locked and keys are looked up by the wallet's id.
create type wallet_ref as (
    id bigint
);
create type wallet_key as (
    wallet_id bigint, idempotency_key text
);
create type wallet_request as (
    wallet_id bigint, fingerprint text, window_millis bigint
);
drop type own_key;
drop type own_request;

-- Small texts are written with the job that they complete.
create type new_text as (
    key text, content bytea
);
