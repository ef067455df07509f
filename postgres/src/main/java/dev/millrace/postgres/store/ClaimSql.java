package dev.millrace.postgres.store;

import dev.millrace.engine.port.Transaction.Claim;
import dev.millrace.engine.port.Transaction.Full;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * Claims queued jobs. Each workflow is asked by itself, in the order of its own partial index, for
 * a few rows; asking for several workflows in one order would sort the whole backlog. The input is
 * a subquery, because PostgreSQL can't know how few rows come and would rather join all inputs
 * there are. What may not start is a case, because PostgreSQL would take a plain condition on
 * effects for one that few jobs meet, and read the whole backlog to find them; and it is known from
 * the dispatch alone, so that passing over a long row of such jobs reads no job.
 */
final class ClaimSql {

  private static final Bulk<Map.Entry<Integer, Integer>> CLAIM =
      new Bulk<Map.Entry<Integer, Integer>>(
              "queue_limit",
              """
              select c.*, (
                  select i.input
                  from job_input i
                  where i.tenant_id = c.tenant_id
                    and i.job_id = c.id) as input
              from unnest(?::queue_limit[]) as w
              join workflow f on f.id = w.id and f.paused_at is null
              cross join lateral (
                  select %s, d.virtual_start
                  from dispatch d
                  join job j on (j.tenant_id, j.id)
                      between (d.tenant_id, d.job_id) and (d.tenant_id, d.job_id)
                  where d.workflow_id = w.id
                    and d.state = 'queued'
                    and case
                        when d.tenant_id = any (?::int[]) then false
                        when d.effect_id = any (?::int[]) then false
                        when d.effect_id = any (array(
                            select e.id
                            from effect e
                            where e.paused_at is not null))
                        then false
                        else true
                    end
                  order by d.priority desc, d.virtual_start, d.job_id
                  limit w.most
                  for update of d, j skip locked) c
              order by c.priority desc, c.virtual_start, c.id
              """
                  .formatted(JobRow.COLUMNS))
          .column("int4", Map.Entry::getKey)
          .column("int4", Map.Entry::getValue);

  private ClaimSql() {}

  static void claim(
      Pipeline pipeline, SortedMap<Integer, Integer> limits, Full full, List<Claim> found) {
    pipeline.read(
        CLAIM,
        limits.entrySet(),
        List.of(full.tenants(), full.effects()),
        row ->
            found.add(
                new Claim(JobRow.read(row), row.getLong("virtual_start"), row.getString("input"))));
  }
}
