package dev.millrace.postgres.doctor;

import java.util.List;

/**
 * Laws 1 to 3: no credit appears, vanishes or moves twice. A wallet knows the sum of its lines that
 * were archived. They are lines of jobs that had ended, so what they took is what was consumed.
 */
final class MoneyLaws {

  private static final String BALANCES =
      """
      select w.tenant_id, w.id as wallet_id, w.balance, w.archived,
          coalesce(sum(l.amount), 0) as ledger_sum
      from wallet w
      left join ledger l on l.wallet_id = w.id
      group by w.id
      having w.balance <> w.archived + coalesce(sum(l.amount), 0)
          or w.balance < 0
      """;

  /** Among the archived lines there were others of the same wallet; those are not checked. */
  private static final String RUNNING_BALANCES =
      """
      select l.wallet_id, l.id as ledger_id, l.balance_after, w.archived + l.so_far as running
      from (
          select wallet_id, id, balance_after, sum(amount) over (
              partition by wallet_id
              order by id) as so_far
          from ledger) l
      join wallet w on w.id = l.wallet_id
      where l.id > w.archived_line
        and l.balance_after <> w.archived + l.so_far
      """;

  private static final String TOTALS =
      """
      select *
      from (
          select
              (select coalesce(sum(amount), 0)
               from ledger
               where type in ('payment_credit', 'adjustment')) as granted,
              (select coalesce(sum(balance), 0) from wallet) as balances,
              (select coalesce(sum(held), 0) from job where hold_open) as open_holds,
              (select coalesce(sum(captured), 0) from ledger)
                  - (select coalesce(sum(archived), 0) from wallet) as consumed) t
      where granted <> balances + open_holds + consumed
      """;

  private static final String FUNDINGS =
      """
      select tenant_id, job_id, funding_seq
      from ledger
      where job_id >= (select history_begins())
      group by tenant_id, job_id, funding_seq
      having count(*) filter (where type = 'job_reserve') <> 1
          or count(*) filter (where type = 'job_consume') > 1
          or count(*) filter (where type = 'job_refund') > 1
          or (count(*) > 1
              and sum(amount) + sum(captured) <> 0)
      """;

  private static final String HOLDS =
      """
      select j.tenant_id, j.id as job_id, j.state, j.held, j.captured, l.reserved, l.settlements
      from job j
      cross join lateral (
          select coalesce(-sum(amount) filter (where type = 'job_reserve'), 0) as reserved,
              coalesce(sum(captured), 0) as captured,
              coalesce(sum(amount) filter (where type = 'job_refund'), 0) as refunded,
              count(*) filter (where type in ('job_consume', 'job_refund')) as settlements
          from ledger l
          where l.tenant_id = j.tenant_id
            and l.job_id = j.id
            and l.funding_seq = j.funding_seq) l
      where (j.id >= (select history_begins())
              and (l.reserved <> j.held
                  or (j.hold_open and l.settlements > 0)
                  or (not j.hold_open and l.captured <> j.captured)
                  or (not j.hold_open and l.refunded <> j.held - j.captured)))
         or (j.state = 'blocked' and (j.held > 0 or j.funding_seq > 0))
      """;

  private static final String ACTIVE =
      """
      select w.tenant_id, w.id as wallet_id, w.active, count(j.id) as live_jobs
      from wallet w
      left join job j on j.wallet_id = w.id and j.hold_open
      group by w.id
      having w.active <> count(j.id)
      """;

  static final List<Invariant> ALL =
      List.of(
          new Invariant(
              1,
              "balances",
              "A wallet's balance is the sum of its ledger, archived lines included, and never negative.",
              "Credits appeared or vanished outside of the ledger, which only a bug or "
                  + "an edit by hand can do. Stop taking payments from this wallet, and "
                  + "compare its ledger with the balance. The ledger is right; correct the "
                  + "balance to its sum.",
              BALANCES),
          new Invariant(
              1,
              "running_balances",
              "Every ledger line's balance_after is the sum up to it.",
              "A line was written on a stale balance or changed later. Look at the "
                  + "ledger around ledger_id: the first wrong line names the job or payment "
                  + "that caused it. Keep a copy before anything is corrected.",
              RUNNING_BALANCES),
          new Invariant(
              1,
              "totals",
              "Credits granted = balances + open holds + consumed.",
              "Somewhere credits were made or lost although each wallet may look right. "
                  + "The other laws about money tell where; if none of them is broken, "
                  + "compare the open holds with the live jobs.",
              TOTALS),
          new Invariant(
              2,
              "fundings",
              "A funding has one reserve, at most one consume and one refund, and they add up.",
              "A job was charged or refunded twice, or what was kept and given back is "
                  + "not what was held. Look at the job's receipt, and correct its user's "
                  + "wallet by a payment with a note.",
              FUNDINGS),
          new Invariant(
              3,
              "holds",
              "A live job's hold is open, a terminal job's is settled once, a blocked "
                  + "one has none.",
              "A job and the ledger disagree about what was held, kept or given back. "
                  + "Look at the job's receipt; the ledger is right.",
              HOLDS),
          new Invariant(
              3,
              "active",
              "A wallet counts its user's live jobs, each once.",
              "A user's limit on live jobs is reckoned with a wrong number. Nothing is lost; "
                  + "set the wallet's active to the number of its jobs with an open hold.",
              ACTIVE));

  private MoneyLaws() {}
}
