package dev.millrace.postgres.store;

import dev.millrace.engine.port.Share;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;

/** Locks the tenants' places in the queues, in one order. */
final class ShareSql {

  private static final Bulk<Share.Id> LOCK =
      new Bulk<Share.Id>(
              "share_key",
              """
              select s.workflow_id, s.tenant_id, s.finish, coalesce((
                  select q.served
                  from queue q
                  where q.workflow_id = s.workflow_id), 0) as served
              from (
                  select k.workflow_id, k.tenant_id
                  from unnest(?::share_key[]) as k
                  order by k.workflow_id, k.tenant_id) k
              cross join lateral (
                  select *
                  from share s
                  where s.workflow_id = k.workflow_id
                    and s.tenant_id = k.tenant_id
                  for update) s
              """)
          .column("int4", Share.Id::workflowId)
          .column("int4", Share.Id::tenant);

  /** Before any lock is held, for the reason that holds for wallets too. */
  private static final Bulk<Share.Id> CREATE_MISSING =
      new Bulk<Share.Id>(
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
          .column("int4", Share.Id::workflowId)
          .column("int4", Share.Id::tenant);

  private ShareSql() {}

  static void make(Pipeline pipeline, Set<Share.Id> keys) {
    pipeline.write(CREATE_MISSING, keys);
  }

  static void lock(Pipeline pipeline, Set<Share.Id> keys, Map<Share.Id, Share> found) {
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
        new Share.Id(row.getInt("workflow_id"), row.getInt("tenant_id")),
        row.getLong("served"),
        row.getLong("finish"));
  }
}
