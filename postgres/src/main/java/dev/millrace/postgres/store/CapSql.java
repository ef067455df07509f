package dev.millrace.postgres.store;

import dev.millrace.engine.port.Transaction.Caps;
import java.util.List;

/**
 * Counts what runs where caps are set. The counting transactions go one after the other, on all
 * nodes: only who leases adds to what runs, so what one counted stays true until it commits. Where
 * nothing has a cap nobody waits.
 */
final class CapSql {

  private static final String OF_EFFECTS =
      """
      select e.id, e.concurrency
      from effect e
      where e.concurrency is not null
      """;

  private static final String ONE_BY_ONE =
      """
      select pg_advisory_xact_lock(hashtext('millrace.caps'))
      where ?::int > 0
        or exists (
            select 1
            from effect e
            where e.concurrency is not null)
      """;

  private static final String ONE_BY_ONE_IF_FREE =
      """
      select not pg_try_advisory_xact_lock(hashtext('millrace.caps')) as held
      where ?::int > 0
        or exists (
            select 1
            from effect e
            where e.concurrency is not null)
      """;

  private static final String RUNNING =
      """
      select d.tenant_id, d.effect_id, count(*) as jobs
      from dispatch d
      where d.lease_token is not null
        and (?::int > 0
          or exists (
              select 1
              from effect e
              where e.concurrency is not null))
      group by d.tenant_id, d.effect_id
      """;

  private CapSql() {}

  /** Takes the turn if it is free; the reader's row says whether somebody else has it. */
  static void tryLock(Pipeline pipeline, int perTenant, Pipeline.Reader reader) {
    pipeline.read(ONE_BY_ONE_IF_FREE, List.of(Integer.toString(perTenant)), reader);
  }

  static void read(Pipeline pipeline, Caps caps) {
    List<String> perTenant = List.of(Integer.toString(caps.perTenant()));
    pipeline
        .read(
            OF_EFFECTS,
            List.of(),
            row -> caps.perEffect().put(row.getInt("id"), row.getInt("concurrency")))
        .read(ONE_BY_ONE, perTenant, null)
        .read(
            RUNNING,
            perTenant,
            row -> {
              int jobs = row.getInt("jobs");
              caps.runningOfTenant().merge(row.getInt("tenant_id"), jobs, Integer::sum);
              caps.runningOfEffect().merge(row.getInt("effect_id"), jobs, Integer::sum);
            });
  }
}
