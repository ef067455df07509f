package dev.millrace.postgres.store;

import dev.millrace.engine.port.Transaction.Caps;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
      """;

  private static final String RUNNING =
      """
      select d.tenant_id, d.effect_id, count(*)
      from dispatch d
      where d.lease_token is not null
      group by d.tenant_id, d.effect_id
      """;

  private CapSql() {}

  private record Effect(int id, int cap) {}

  private record Running(int tenant, int effect, int jobs) {}

  static Caps read(Connection connection, int perTenant) throws SQLException {
    Map<Integer, Integer> perEffect = new HashMap<>();
    for (Effect effect :
        rows(connection, OF_EFFECTS, row -> new Effect(row.getInt(1), row.getInt(2)))) {
      perEffect.put(effect.id(), effect.cap());
    }
    if (perTenant == 0 && perEffect.isEmpty()) {
      return Caps.NONE;
    }
    rows(connection, ONE_BY_ONE, ResultSet::getRow);
    Map<Integer, Integer> ofTenant = new HashMap<>();
    Map<Integer, Integer> ofEffect = new HashMap<>();
    for (Running some :
        rows(
            connection, RUNNING, row -> new Running(row.getInt(1), row.getInt(2), row.getInt(3)))) {
      ofTenant.merge(some.tenant(), some.jobs(), Integer::sum);
      ofEffect.merge(some.effect(), some.jobs(), Integer::sum);
    }
    return new Caps(perTenant, perEffect, ofTenant, ofEffect);
  }

  private static <R> List<R> rows(Connection connection, String sql, Rows.Mapper<R> mapper)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      return Rows.read(statement, mapper);
    }
  }
}
