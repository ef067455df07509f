package dev.millrace.postgres.doctor;

import java.util.stream.Stream;

/**
 * Damage done to a healthy database in plain SQL, as small as it can be, so that one law is broken
 * and its neighbours still hold.
 */
record Corruption(String law, String what, String sql) {

  @Override
  public String toString() {
    return law + ": " + what;
  }

  static Stream<Corruption> all() {
    return Stream.of(
            money(),
            history(),
            attempts(),
            places(),
            ProviderCorruption.all(),
            ownership(),
            shapes(),
            webhooks())
        .flatMap(stream -> stream);
  }

  private static final String ENDPOINT =
      """
      insert into webhook (tenant_id, id, url, events, secret_hash, since, asked_at)
      select id, gen_random_uuid(), 'https://example.com', '{%s}', sha256('x'),
          clock_timestamp() - interval '1 day', clock_timestamp() - interval '1 day'
      from tenant;
      update webhook_cursor set read_before = clock_timestamp();
      """;

  private static Stream<Corruption> webhooks() {
    return Stream.of(
        new Corruption("webhooks_told", "a created job", ENDPOINT.formatted("job.created")),
        new Corruption("webhooks_told", "a completed job", ENDPOINT.formatted("job.completed")),
        new Corruption("webhooks_told", "everything", ENDPOINT.formatted("*")),
        new Corruption("webhooks_told", "progress", ENDPOINT.formatted("job.progress")),
        new Corruption(
            "webhooks_sent",
            "a delivery that nobody sends",
            ENDPOINT.formatted("job.blocked")
                + """
                insert into webhook_delivery (
                    tenant_id, webhook_id, message, type, payload, give_up_at, next_at)
                select tenant_id, id, 'msg_1', 'webhook.test', '{}', clock_timestamp(),
                    clock_timestamp() - interval '61 minutes'
                from webhook
                """));
  }

  /** Damage to what is left of an archived month. */
  static Stream<Corruption> ofTheArchive() {
    return Stream.of(
        new Corruption(
            "balances",
            "a sum that is one short",
            "update wallet set archived = archived - 1 where user_id = 'ada'"),
        new Corruption(
            "balances",
            "a sum moved to another wallet",
            """
            update wallet set archived = archived - 1 where user_id = 'ada';
            update wallet set archived = archived + 1 where user_id = 'bob'
            """),
        new Corruption(
            "running_balances",
            "a sum and a balance that lie together",
            """
            update wallet set archived = archived + 1, balance = balance + 1
            where user_id = 'ada'
            """),
        new Corruption("gaps", "a month that was not recorded", "delete from archive"),
        new Corruption("holds", "lines that nobody says are archived", "delete from archive"));
  }

  private static Stream<Corruption> shapes() {
    return Stream.of(
        new Corruption(
            "ledger_rows",
            "a payment of nothing",
            """
            insert into ledger (
                tenant_id, wallet_id, type, amount, captured, balance_after, funding_seq, at)
            select tenant_id, id, 'payment_credit', 0, 0, balance, 0, clock_timestamp()
            from wallet
            where user_id = 'ada'
            """),
        new Corruption("job_rows", "a progress beyond the end", "update job set progress = 101"),
        new Corruption(
            "lease_rows", "a lease without an end", "update job set lease_expires_at = null"),
        new Corruption(
            "attempt_rows",
            "an attempt that ended before it began",
            "update attempt set ended_at = started_at - interval '1 s' where ended_at is not null"),
        new Corruption(
            "file_rows", "a checksum that is none", "update file set sha256 = 'unknown'"),
        new Corruption(
            "file_rows", "a ready file without a checksum", "update file set sha256 = null"),
        new Corruption(
            "file_rows", "an output that is waited for", "update file set state = 'pending'"),
        new Corruption(
            "file_rows",
            "an object that is gone while its file is not",
            "update file set erased_at = clock_timestamp()"));
  }

  private static Stream<Corruption> money() {
    return Stream.of(
        new Corruption(
            "balances",
            "credits moved between two wallets without a line",
            """
            update wallet set balance = balance + 5 where user_id = 'ada';
            update wallet set balance = balance - 5 where user_id = 'bob'
            """),
        new Corruption(
            "running_balances",
            "a line that tells a wrong balance",
            "update ledger set balance_after = balance_after + 1 where type = 'job_refund'"
                + " and wallet_id = (select id from wallet where user_id = 'bob')"),
        new Corruption(
            "totals",
            "a hold that was taken twice",
            """
            insert into ledger (
                tenant_id, wallet_id, type, amount, captured, balance_after, job_id, funding_seq,
                at)
            select j.tenant_id, j.wallet_id, 'job_reserve', -j.held, 0, w.balance - j.held, j.id,
                2, clock_timestamp()
            from job j
            join wallet w on w.id = j.wallet_id
            where j.state = 'running';
            update wallet w set balance = w.balance - j.held
            from job j where j.state = 'running' and w.id = j.wallet_id;
            update job set funding_seq = 2 where state = 'running'
            """),
        new Corruption(
            "fundings",
            "a hold that was consumed in two halves",
            """
            drop index ledger_once_per_funding;
            update ledger set captured = 3 where type = 'job_consume';
            insert into ledger (
                tenant_id, wallet_id, type, amount, captured, balance_after, job_id, funding_seq,
                at)
            select l.tenant_id, l.wallet_id, 'job_consume', 0, 1, w.balance, l.job_id,
                l.funding_seq, l.at
            from ledger l
            join wallet w on w.id = l.wallet_id
            where l.type = 'job_consume'
            """),
        new Corruption(
            "holds",
            "a job that says it captured something else",
            "update job set captured = captured - 1 where state = 'completed'"),
        new Corruption(
            "holds",
            "a settled job that was never charged for",
            "update job set held = held + 1, captured = captured + 1 where state = 'completed'"),
        new Corruption(
            "active", "a job that its user is not counted for", "update wallet set active = 0"));
  }

  private static Stream<Corruption> history() {
    return Stream.of(
        new Corruption(
            "ends",
            "a word after the end",
            """
            insert into job_event (
                tenant_id, job_id, seq, from_state, state, progress, attempt, at)
            select tenant_id, id, events + 1, state, state, 100, 1, clock_timestamp()
            from job where state = 'completed';
            update job set events = events + 1 where state = 'completed'
            """),
        new Corruption(
            "last_states",
            "a state that no event tells of",
            "update job set state = 'failed' where state = 'completed'"),
        new Corruption(
            "edges",
            "a way that is not in the table",
            """
            update job_event e set trigger = 'due'
            from job j
            where j.id = e.job_id and j.state = 'completed' and e.trigger = 'lease'
            """),
        new Corruption(
            "edges",
            "a start from where the job was not",
            """
            update job_event e set from_state = 'pending'
            from job j
            where j.id = e.job_id and j.state = 'completed' and e.trigger = 'lease'
            """),
        new Corruption(
            "gaps", "a report that vanished", "delete from job_event where trigger is null"),
        new Corruption(
            "clocks",
            "an event from the future",
            "update job_event set at = at + interval '1 hour' where trigger is null"));
  }

  private static Stream<Corruption> attempts() {
    return Stream.of(
        new Corruption(
            "tries",
            "an interruption that no attempt explains",
            "update job set interruptions = interruptions + 1 where state = 'running'"),
        new Corruption(
            "tries",
            "a failure that no attempt explains",
            "update job set failures = failures + 1 where state = 'completed'"),
        new Corruption(
            "leases",
            "two workers on one job",
            "update attempt set ended_at = ended_at + interval '1 hour' where number = 1"
                + " and outcome = 'requeued'"),
        new Corruption(
            "tokens",
            "a lease that is not the dispatch's",
            "update attempt set token = gen_random_uuid() where ended_at is null"),
        new Corruption(
            "tokens",
            "an earlier attempt that was accepted too",
            """
            update attempt set outcome = 'completed' where outcome = 'requeued';
            update job set interruptions = 0
            """));
  }

  private static Stream<Corruption> places() {
    return Stream.of(
        new Corruption(
            "deadlines",
            "a deadline that nobody saw",
            """
            update job set deadline_at = now() - interval '1 hour' where state < 'completed';
            update dispatch set deadline_at = now() - interval '1 hour'
            """),
        new Corruption(
            "expired_leases",
            "a lease that nobody ended",
            "update job set lease_expires_at = clock_timestamp() - interval '1 hour'"
                + " where lease_token is not null"),
        new Corruption(
            "places", "a job without a place", "delete from dispatch where state = 'queued'"),
        new Corruption(
            "places",
            "a place with another deadline",
            "update dispatch set deadline_at = deadline_at + interval '1 s'"),
        new Corruption(
            "places",
            "a place that knows of no lease",
            "update dispatch set lease_token = null, worker = null where state = 'running'"),
        new Corruption(
            "places",
            "a finished job with a place",
            """
            insert into dispatch (
                tenant_id, job_id, workflow_id, effect_id, state, priority, virtual_start,
                due_at, deadline_at)
            select tenant_id, id, workflow_id, effect_id, 'queued', 0, 0, due_at, clock_timestamp()
            from job where state = 'completed'
            """),
        new Corruption(
            "places",
            "a place in another queue",
            "update dispatch set workflow_id = 2 where state = 'running'"),
        new Corruption(
            "places",
            "a place as another effect",
            "update dispatch set effect_id = 2 where state = 'running'"),
        new Corruption(
            "keys",
            "a key that made two jobs",
            """
            drop index job_once_per_key;
            update job set idempotency_key = 'twice'
            where wallet_id = (select id from wallet where user_id = 'ada')
            """));
  }

  private static Stream<Corruption> ownership() {
    String foreign = "(select id from wallet where user_id = 'zoe')";
    return Stream.of(
        new Corruption(
            "wallets",
            "a job on a foreign wallet",
            "update job set wallet_id = " + foreign + " where state = 'completed'"),
        new Corruption(
            "wallets", "a file on a foreign wallet", "update file set wallet_id = " + foreign),
        new Corruption(
            "children",
            "an event of no job",
            """
            insert into job_event (tenant_id, job_id, seq, trigger, state, progress, attempt, at)
            values (1, gen_random_uuid(), 1, 'submit', 'queued', 0, 0, clock_timestamp())
            """),
        new Corruption(
            "children",
            "an attempt of no job",
            """
            insert into attempt (tenant_id, job_id, number, token, worker, started_at)
            values (1, gen_random_uuid(), 1, gen_random_uuid(), 'w', clock_timestamp())
            """),
        new Corruption(
            "children",
            "an input of another tenant's job",
            "insert into job_input select 2, job_id, input from job_input"),
        new Corruption(
            "children",
            "a file of no job",
            "update file set job_id = gen_random_uuid(); insert into file (tenant_id, id,"
                + " wallet_id, job_id, attempt, kind, key, name, media_type, size, sha256, width,"
                + " height, thumbnail_key, created_at) select f.tenant_id, gen_random_uuid(),"
                + " f.wallet_id, j.id, f.attempt, f.kind, gen_random_uuid()::text, f.name,"
                + " f.media_type, f.size, f.sha256, f.width, f.height, f.thumbnail_key,"
                + " f.created_at from file f join job j on j.state = 'completed'"),
        new Corruption(
            "storage",
            "bytes of a file that is not there",
            "update wallet set stored_bytes = stored_bytes + 1"),
        new Corruption("outputs", "an empty output", "update file set size = 0"),
        new Corruption(
            "outputs", "an output that nobody may see", "update file set withheld = true"),
        new Corruption(
            "outputs", "an output of another attempt", "update file set attempt = attempt + 1"),
        new Corruption(
            "secrets",
            "a key that is no hash",
            """
            alter table api_key drop constraint api_key_hash_check;
            update api_key set hash = 'mr_secret'
            """),
        new Corruption(
            "secrets", "a prefix that is the key", "update api_key set prefix = repeat('x', 40)"));
  }
}
