package dev.millrace.postgres.store;

import java.util.Map;
import java.util.SortedSet;

/**
 * Locks enrolled workers and counts what they hold. The count is a statement of its own, because
 * one that waited for a lock would still count what it saw before it waited.
 */
final class SlotSql {

  private static final Bulk<String> LOCK =
      new Bulk<String>(
              "worker_key",
              """
              select w.id, w.max_concurrency
              from (
                  select k.id
                  from unnest(?::worker_key[]) as k
                  order by k.id) k
              cross join lateral (
                  select *
                  from worker w
                  where w.id = k.id
                    and w.approved_at is not null
                    and w.draining_at is null
                    and w.revoked_at is null
                  for no key update) w
              """)
          .column("text", id -> id);

  private static final Bulk<String> COUNT =
      new Bulk<String>(
              "worker_key",
              """
              select k.id, h.held
              from unnest(?::worker_key[]) as k
              cross join lateral (
                  select count(*) as held
                  from dispatch d
                  where d.worker = k.id
                    and d.lease_token is not null) h
              where h.held > 0
              """)
          .column("text", id -> id);

  private SlotSql() {}

  static void lock(Pipeline pipeline, SortedSet<String> workers, Map<String, Integer> free) {
    pipeline
        .read(LOCK, workers, row -> free.put(row.getString("id"), row.getInt("max_concurrency")))
        .read(
            COUNT,
            workers,
            row -> {
              int held = row.getInt("held");
              free.computeIfPresent(row.getString("id"), (_, most) -> most - held);
            });
  }
}
