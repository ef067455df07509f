package dev.millrace.postgres.removal;

import java.util.Locale;

/**
 * A kind of row that is handed out, as JSON objects in the order of two keys: the first is that of
 * what a row hangs on, the second its own within that. Which columns are handed out is said for
 * each, so that a new one stays here until somebody has thought about it: hashes, tokens of leases,
 * and how services name their work never leave.
 */
public enum ExportTopic {
  WALLETS(
      "",
      "",
      """
      select w.user_id as parent, '' as child, row_to_json(r) as line
      from wallet w
      cross join lateral (
          select w.user_id as user, w.balance, w.active as live_jobs, w.active_limit, w.daily_limit,
              w.storage_limit, w.stored_bytes, w.created_at) r
      where w.tenant_id = :tenant
        and w.user_id collate "C" > :parent
        and :child = ''
      order by w.user_id collate "C"
      limit :limit
      """),

  LEDGER(
      "",
      "0",
      """
      select w.user_id as parent, l.id as child, l.line
      from wallet w
      cross join lateral (
          select l.id, row_to_json(r) as line
          from ledger l
          cross join lateral (
              select l.id, w.user_id as user, l.type, l.amount, l.captured, l.balance_after, l.at,
                  l.job_id, l.funding_seq, l.note) r
          where l.wallet_id = w.id
            and l.id > case when w.user_id = :parent then cast(:child as bigint) else 0 end
          order by l.id
          limit :limit) l
      where w.tenant_id = :tenant
        and w.user_id collate "C" >= :parent
      order by w.user_id collate "C", l.id
      limit :limit
      """),

  FILES(
      "",
      Before.ALL_IDS,
      """
      select w.user_id as parent, f.id as child, f.line
      from wallet w
      cross join lateral (
          select f.id, row_to_json(r) as line
          from file f
          cross join lateral (
              select f.id, w.user_id as user, f.kind, f.state, f.name, f.media_type, f.size, f.sha256,
                  f.width, f.height, f.job_id, f.attempt, f.workspace, f.withheld, f.approved,
                  f.created_at, f.deleted_at, f.key) r
          where f.wallet_id = w.id
            and f.id > case when w.user_id = :parent then cast(:child as uuid) else '00000000-0000-0000-0000-000000000000' end
          order by f.id
          limit :limit) f
      where w.tenant_id = :tenant
        and w.user_id collate "C" >= :parent
      order by w.user_id collate "C", f.id
      limit :limit
      """),

  JOBS(
      "",
      Before.ALL_IDS,
      """
      select '' as parent, j.id as child, row_to_json(r) as line
      from job j
      join wallet w on w.id = j.wallet_id
      join effect e on e.id = j.effect_id
      left join job_input i on i.tenant_id = j.tenant_id and i.job_id = j.id
      cross join lateral (
          select j.id, w.user_id as user, e.slug as effect, j.state, j.priority, j.progress, j.workspace,
              j.attempts, j.failures, j.interruptions, j.price_unit, j.price_rate, j.held,
              j.captured, j.delivered, j.created_at, j.due_at, j.started_at, j.finished_at,
              j.overturned_at, j.deleted_at, j.retry_of, j.follows, j.batch_id, j.idempotency_key,
              j.step, j.message, j.summary, j.error_code, j.error_message, i.input, i.notes) r
      where j.tenant_id = :tenant
        and :parent = ''
        and j.id > cast(:child as uuid)
      order by j.id
      limit :limit
      """),

  ATTEMPTS(
      Before.ALL_IDS,
      "0",
      """
      select j.id as parent, a.number as child, a.line
      from job j
      cross join lateral (
          select a.number, row_to_json(r) as line
          from attempt a
          cross join lateral (
              select a.job_id, a.number, a.started_at, a.ended_at, a.worker, a.provider, a.outcome,
                  a.error) r
          where a.job_id = j.id
            and a.tenant_id = j.tenant_id
            and a.number > case when j.id = cast(:parent as uuid) then cast(:child as int) else 0 end
          order by a.number
          limit :limit) a
      where j.tenant_id = :tenant
        and j.id >= cast(:parent as uuid)
      order by j.id, a.number
      limit :limit
      """),

  EVENTS(
      Before.ALL_IDS,
      "0",
      """
      select j.id as parent, e.seq as child, e.line
      from job j
      cross join lateral (
          select e.seq, row_to_json(r) as line
          from job_event e
          cross join lateral (
              select e.job_id, e.seq, e.at, e.attempt, e.from_state, e.state, e.trigger, e.progress,
                  e.step, e.message, e.summary) r
          where e.job_id = j.id
            and e.tenant_id = j.tenant_id
            and e.seq > case when j.id = cast(:parent as uuid) then cast(:child as int) else 0 end
          order by e.seq
          limit :limit) e
      where j.tenant_id = :tenant
        and j.id >= cast(:parent as uuid)
      order by j.id, e.seq
      limit :limit
      """),

  LATE_RESULTS(
      Before.ALL_IDS,
      "0",
      """
      select l.job_id as parent, l.number as child, row_to_json(r) as line
      from late_result l
      cross join lateral (
          select l.job_id, l.number, l.files, l.summary, l.received_at, l.state, l.decided_at,
              l.actor) r
      where l.tenant_id = :tenant
        and (l.job_id, l.number) > (cast(:parent as uuid), cast(:child as int))
      order by l.job_id, l.number
      limit :limit
      """),

  BATCHES(
      "",
      Before.ALL_IDS,
      """
      select '' as parent, b.id as child, row_to_json(r) as line
      from batch b
      join wallet w on w.id = b.wallet_id
      cross join lateral (
          select b.id, w.user_id as user, b.size, b.atomic, b.workspace, b.idempotency_key,
              b.created_at) r
      where b.tenant_id = :tenant
        and :parent = ''
        and b.id > cast(:child as uuid)
      order by b.id
      limit :limit
      """),

  TASKS(
      "",
      Before.ALL_IDS,
      """
      select '' as parent, t.id as child, row_to_json(r) as line
      from task t
      cross join lateral (
          select t.id, t.action, t.filter, t.state, t.actor, t.seen, t.done, t.skipped, t.failed,
              t.credits, t.created_at, t.finished_at) r
      where t.tenant_id = :tenant
        and :parent = ''
        and t.id > cast(:child as uuid)
      order by t.id
      limit :limit
      """),

  KEYS(
      "",
      Before.ALL_IDS,
      """
      select '' as parent, k.id as child, row_to_json(r) as line
      from api_key k
      cross join lateral (
          select k.id, k.name, k.prefix, k.role, k.user_id as user, k.workspace, k.effects, k.scopes,
              k.created_at, k.last_used_at, k.ends_at, k.revoked_at, k.replaced_by) r
      where k.tenant_id = :tenant
        and :parent = ''
        and k.id > cast(:child as uuid)
      order by k.id
      limit :limit
      """),

  WEBHOOKS(
      "",
      Before.ALL_IDS,
      """
      select '' as parent, h.id as child, row_to_json(r) as line
      from webhook h
      cross join lateral (
          select h.id, h.url, h.description, h.events, h.created_at, h.failing_since, h.disabled_at,
              h.disabled_for) r
      where h.tenant_id = :tenant
        and :parent = ''
        and h.id > cast(:child as uuid)
      order by h.id
      limit :limit
      """),

  DELIVERIES(
      Before.ALL_IDS,
      "0",
      """
      select d.webhook_id as parent, d.n as child, row_to_json(r) as line
      from webhook_delivery d
      cross join lateral (
          select d.webhook_id, d.message, d.type, d.job_id, d.payload, d.state, d.attempts,
              d.created_at, d.finished_at) r
      where d.tenant_id = :tenant
        and (d.webhook_id, d.n) > (cast(:parent as uuid), cast(:child as bigint))
      order by d.webhook_id, d.n
      limit :limit
      """),

  AUDIT(
      "",
      "0",
      """
      select '' as parent, a.id as child, row_to_json(r) as line
      from audit a
      cross join lateral (select a.id, a.at, a.actor, a.action, a.target, a.detail) r
      where a.tenant_id = :tenant
        and not a.of_installation
        and :parent = ''
        and a.id > cast(:child as bigint)
      order by a.id
      limit :limit
      """);

  private final String firstParent;
  private final String firstChild;
  private final String statement;

  ExportTopic(String firstParent, String firstChild, String statement) {
    this.firstParent = firstParent;
    this.firstChild = firstChild;
    this.statement = statement;
  }

  /** What no row has, for the constants, which come before all fields. */
  private static final class Before {
    static final String ALL_IDS = "00000000-0000-0000-0000-000000000000";
  }

  /** Before the first row. */
  ExportRows.Place beginning() {
    return new ExportRows.Place(firstParent, firstChild);
  }

  String statement() {
    return statement;
  }

  /** What its files are called. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
