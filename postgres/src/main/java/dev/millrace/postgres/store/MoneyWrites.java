package dev.millrace.postgres.store;

import dev.millrace.engine.money.LedgerLine;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Changes;
import java.time.Instant;

/** Balances, and the ledger lines that explain them. */
final class MoneyWrites {

  private record Line(LedgerLine line, Instant at) {}

  private static final Bulk<Wallet> UPDATE_WALLETS =
      new Bulk<Wallet>(
              """
              update wallet w
              set balance = u.balance,
                  active = u.active,
                  day = u.day,
                  today = u.today
              from unnest(?::bigint[], ?::bigint[], ?::int[], ?::bigint[], ?::int[])
                  as u (id, balance, active, day, today)
              where w.id = u.id
              """)
          .column("int8", Wallet::id)
          .column("int8", Wallet::balance)
          .column("int4", w -> w.usage().active())
          .column("int8", w -> w.usage().day())
          .column("int4", w -> w.usage().today());

  private static final Bulk<Line> INSERT_LEDGER =
      new Bulk<Line>(
              """
              insert into ledger (
                  tenant_id, wallet_id, type, amount, captured, balance_after, job_id,
                  funding_seq, key, note, at)
              select w.tenant_id, l.wallet_id, l.type, l.amount, l.captured, l.balance_after,
                  l.job_id, l.funding_seq, l.key, l.note, l.at
              from unnest(
                  ?::bigint[], ?::ledger_type[], ?::bigint[], ?::bigint[], ?::bigint[], ?::uuid[],
                  ?::int[], ?::text[], ?::text[], ?::timestamptz[]) with ordinality
                  as l (wallet_id, type, amount, captured, balance_after, job_id, funding_seq,
                        key, note, at, n)
              join wallet w on w.id = l.wallet_id
              order by l.n
              """)
          .column("int8", l -> l.line.walletId())
          .column("text", l -> l.line.type().label())
          .column("int8", l -> l.line.amount())
          .column("int8", l -> l.line.captured())
          .column("int8", l -> l.line.balanceAfter())
          .column("uuid", l -> l.line.job())
          .column("int4", l -> l.line.fundingSeq())
          .column("text", l -> l.line.key())
          .column("text", l -> l.line.note())
          .column("timestamptz", Line::at);

  private MoneyWrites() {}

  static void write(Pipeline pipeline, Changes changes) {
    pipeline.write(UPDATE_WALLETS, changes.wallets());
    pipeline.write(
        INSERT_LEDGER,
        changes.ledger().stream().map(line -> new Line(line, changes.at())).toList());
  }
}
