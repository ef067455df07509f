package dev.millrace.postgres.store;

import dev.millrace.engine.port.Share;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;

/** Locks the tenants' places in the queues, in one order. */
final class ShareSql {

  private static final Bulk<Share.Key> LOCK =
      new Bulk<Share.Key>(
              "share_key",
              """
              select s.workflow_id, s.tenant_id, s.finish, coalesce(q.served, 0) as served
              from unnest(?::share_key[]) as k
              join share s using (workflow_id, tenant_id)
              left join queue q using (workflow_id)
              order by s.workflow_id, s.tenant_id
              for update of s
              """)
          .column("int4", Share.Key::workflowId)
          .column("int4", Share.Key::tenant);

  /** Before any lock is held, for the reason that holds for wallets too. */
  private static final Bulk<Share.Key> CREATE_MISSING =
      new Bulk<Share.Key>(
              "share_key",
              """
              insert into share (workflow_id, tenant_id, finish)
              select k.workflow_id, k.tenant_id, 0
              from unnest(?::share_key[]) as k
              where not exists (
                  select 1
                  from share s
                  where s.workflow_id = k.workflow_id
                    and s.tenant_id = k.tenant_id)
              order by k.workflow_id, k.tenant_id
              on conflict do nothing
              """)
          .column("int4", Share.Key::workflowId)
          .column("int4", Share.Key::tenant);

  private ShareSql() {}

  static void make(Pipeline pipeline, Set<Share.Key> keys) {
    pipeline.write(CREATE_MISSING, keys);
  }

  static void lock(Pipeline pipeline, Set<Share.Key> keys, Map<Share.Key, Share> found) {
    pipeline.read(
        LOCK,
        keys,
        row -> {
          Share share = share(row);
          found.put(share.key(), share);
        });
  }

  private static Share share(ResultSet row) throws SQLException {
    return new Share(
        new Share.Key(row.getInt("workflow_id"), row.getInt("tenant_id")),
        row.getLong("served"),
        row.getLong("finish"));
  }
}
