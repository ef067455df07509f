package dev.millrace.bench.load;

import dev.millrace.bench.place.Arena;

/**
 * Copies of really finished jobs, with everything that they left behind: input, attempts, events,
 * files and money. The wallets pay for the copies as well, so that the doctor finds nothing odd.
 */
public final class Copies {

  private static final int AT_ONCE = 100_000;

  private static final String LEDGER =
      """
      insert into ledger (
          tenant_id, wallet_id, type, amount, captured, balance_after, job_id, funding_seq, key,
          note, at)
      select l.tenant_id, l.wallet_id, l.type, l.amount, l.captured,
          w.balance + sum(l.amount) over (partition by l.wallet_id order by c.n, l.id),
          c.new_id, l.funding_seq, l.key, l.note, l.at
      from bench_copy c
      join ledger l on l.tenant_id = c.tenant_id and l.job_id = c.old_id
      join wallet w on w.id = l.wallet_id
      order by c.n, l.id
      """;

  private static final String WALLETS =
      """
      update wallet w
      set balance = w.balance + p.amount
      from (
          select l.wallet_id, sum(l.amount) as amount
          from bench_copy c
          join ledger l on l.tenant_id = c.tenant_id and l.job_id = c.new_id
          group by l.wallet_id) p
      where w.id = p.wallet_id
      """;

  private Copies() {}

  /** Makes so many copies of the jobs that are completed now, and lets PostgreSQL tidy up. */
  public static void add(Arena arena, int copies) {
    arena.execute(
        """
        create unlogged table bench_original as
        select tenant_id, wallet_id, id
        from job
        where state = 'completed'
        """,
        """
        create unlogged table bench_copy (
            n bigint generated always as identity,
            tenant_id int,
            wallet_id bigint,
            old_id uuid,
            new_id uuid)
        """);
    int originals = (int) arena.ask("select count(*) from bench_original");
    for (int done = 0; done < copies; done += AT_ONCE) {
      int now = Math.min(AT_ONCE, copies - done);
      arena.execute(
          "set synchronous_commit = off",
          "truncate bench_copy",
          pick(now / originals + 1, now),
          "analyze bench_copy",
          table(arena, "job", "id"),
          table(arena, "job_input", "job_id"),
          table(arena, "job_event", "job_id"),
          table(arena, "attempt", "job_id"),
          table(arena, "file", "job_id"),
          LEDGER,
          WALLETS);
    }
    arena.execute("drop table bench_copy", "drop table bench_original");
  }

  private static String pick(int times, int most) {
    return """
    insert into bench_copy (tenant_id, wallet_id, old_id, new_id)
    select o.tenant_id, o.wallet_id, o.id, uuidv7()
    from bench_original o
    cross join generate_series(1, %d) n
    limit %d
    """
        .formatted(times, most);
  }

  /** The table's own columns, except for those that have to be new. */
  private static String table(Arena arena, String name, String jobId) {
    String columns = columns(arena, name, "quote_ident(a.attname)");
    String values =
        columns(
            arena,
            name,
            """
            case
                when a.attname = '%s' then 'c.new_id'
                when a.attname = 'idempotency_key' then 'c.new_id::text'
                when '%s.' || a.attname = 'file.id' then 'uuidv7()'
                when '%s.' || a.attname = 'file.key' then 't.key || c.new_id'
                else 't.' || quote_ident(a.attname)
            end
            """
                .formatted(jobId, name, name));
    return """
    insert into %1$s (%2$s)
    select %3$s
    from bench_copy c
    join %1$s t on t.tenant_id = c.tenant_id and t.%4$s = c.old_id
    order by c.n
    """
        .formatted(name, columns, values, jobId);
  }

  public static String columns(Arena arena, String table, String expression) {
    return arena
        .site()
        .read(
            arena.name(),
            """
            select string_agg(%s, ', ' order by a.attnum)
            from pg_attribute a
            where a.attrelid = '%s'::regclass
              and a.attnum > 0
              and not a.attisdropped
              and a.attidentity = ''
              and a.attgenerated = ''
            """
                .formatted(expression, table));
  }
}
