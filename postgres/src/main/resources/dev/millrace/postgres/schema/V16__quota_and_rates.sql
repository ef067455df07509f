-- What tenants and users may store, how much they have stored, and how often a tenant may ask (ADR 26).

-- Null is what is usual in this installation, 0 no limit. A burst of 0 would let nobody in.
alter table tenant
    add column storage_bytes              bigint check (storage_bytes >= 0),
    add column user_storage_bytes         bigint check (user_storage_bytes >= 0),
    add column requests_per_minute        int    check (requests_per_minute >= 0),
    add column tenant_requests_per_minute int    check (tenant_requests_per_minute >= 0),
    add column burst                      int    check (burst > 0);

-- stored_bytes is the sum of the sizes of the wallet's files that are not deleted, those that are still waited for with
-- what was announced. Null is a wallet that is older than the column: nobody has counted for it yet, and a duty does.
alter table wallet
    add column storage_limit bigint check (storage_limit >= 0),
    add column stored_bytes  bigint;
alter table wallet
    alter column stored_bytes set default 0;

-- Adds to what wallets have stored, in the order of their ids, in which everybody locks wallets. Where nobody has
-- counted yet, null stays null. One look by the key for each wallet leaves the planner no choice.
create function file_added() returns trigger
    language plpgsql
as $$
declare
    change record;
begin
    for change in
        select wallet_id, sum(size) as bytes
        from added
        where deleted_at is null
        group by wallet_id
        order by wallet_id
    loop
        update wallet
        set stored_bytes = stored_bytes + change.bytes
        where id = change.wallet_id;
    end loop;
    return null;
end
$$;

create function file_changed() returns trigger
    language plpgsql
as $$
declare
    change record;
begin
    for change in
        select wallet_id, sum(bytes) as bytes
        from (
            select wallet_id, -size as bytes
            from before
            where deleted_at is null
            union all
            select wallet_id, size
            from after
            where deleted_at is null) d
        group by wallet_id
        having sum(bytes) <> 0
        order by wallet_id
    loop
        update wallet
        set stored_bytes = stored_bytes + change.bytes
        where id = change.wallet_id;
    end loop;
    return null;
end
$$;

create function file_removed() returns trigger
    language plpgsql
as $$
declare
    change record;
begin
    for change in
        select wallet_id, sum(size) as bytes
        from removed
        where deleted_at is null
        group by wallet_id
        order by wallet_id
    loop
        update wallet
        set stored_bytes = stored_bytes - change.bytes
        where id = change.wallet_id;
    end loop;
    return null;
end
$$;

-- In the database, so that nodes of the version before count too. Once for a statement, not for a row.
create trigger file_added after insert on file
    referencing new table as added
    for each statement execute function file_added();

create trigger file_changed after update on file
    referencing old table as before new table as after
    for each statement execute function file_changed();

create trigger file_removed after delete on file
    referencing old table as removed
    for each statement execute function file_removed();
