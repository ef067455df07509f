package dev.millrace.postgres.store;

import dev.millrace.engine.port.Callback;
import dev.millrace.engine.port.Callback.Verdict;
import dev.millrace.engine.port.Changes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** What providers called back. Locked in the order of their ids. */
final class InboxSql {

  private record Dated(Changes.Judged judged, Instant at) {}

  private static final Bulk<Callback.Id> LOCK =
      new Bulk<Callback.Id>(
              "callback_key",
              """
              select b.provider, b.event, b.reference, b.intent, b.verdict, b.received_at
              from (
                  select i.provider, i.event
                  from unnest(?::callback_key[]) as i
                  order by i.provider, i.event) i
              cross join lateral (
                  select *
                  from inbox b
                  where b.provider = i.provider
                    and b.event = i.event
                  for update) b
              """)
          .column("text", Callback.Id::provider)
          .column("text", Callback.Id::event);

  private static final Bulk<Callback> RECEIVE =
      new Bulk<Callback>(
              "new_callback",
              """
              insert into inbox as b (provider, event, reference, received_at, intent)
              select distinct on (r.provider, r.event) r.provider, r.event, r.reference,
                  r.received_at, r.intent
              from unnest(?::new_callback[]) as r
              order by r.provider, r.event
              on conflict (provider, event) do update
              set deliveries = b.deliveries + 1
              """)
          .column("text", c -> c.id().provider())
          .column("text", c -> c.id().event())
          .column("text", Callback::reference)
          .column("timestamptz", Callback::receivedAt)
          .column("text", Callback::intent);

  /** A plain comparison would allow it to read all that wait. */
  private static final Bulk<Dated> JUDGE =
      new Bulk<Dated>(
              "judged_callback",
              """
              update inbox b
              set verdict = u.verdict,
                  judged_at = u.judged_at,
                  tenant_id = u.tenant_id,
                  job_id = u.job_id
              from unnest(?::judged_callback[]) as u
              where (b.provider, b.event)
                  between (u.provider, u.event) and (u.provider, u.event)
                and b.verdict is not distinct from 'waiting'
              """)
          .column("text", j -> j.judged.id().provider())
          .column("text", j -> j.judged.id().event())
          .column("text", j -> j.judged.verdict().label())
          .column("timestamptz", Dated::at)
          .column("int4", j -> j.judged.job() == null ? null : j.judged.job().tenant())
          .column("uuid", j -> j.judged.job() == null ? null : j.judged.job().uuid());

  private InboxSql() {}

  static Map<Callback.Id, Callback> lock(Connection connection, Set<Callback.Id> ids)
      throws SQLException {
    Map<Callback.Id, Callback> callbacks = new HashMap<>();
    LOCK.query(connection, ids, InboxSql::callback).forEach(c -> callbacks.put(c.id(), c));
    return callbacks;
  }

  static void write(Pipeline pipeline, Changes changes) {
    pipeline
        .write(RECEIVE, changes.received())
        .writeAll(JUDGE, changes.judged().stream().map(j -> new Dated(j, changes.at())).toList());
  }

  private static Callback callback(ResultSet row) throws SQLException {
    return new Callback(
        new Callback.Id(row.getString("provider"), row.getString("event")),
        row.getString("reference"),
        row.getString("intent"),
        Verdict.valueOf(row.getString("verdict").toUpperCase(Locale.ROOT)),
        Rows.instant(row, "received_at"));
  }
}
