package dev.millrace.postgres.store;

import dev.millrace.engine.money.LedgerLine;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Changes;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Balances, and the ledger lines that explain them. */
final class MoneyWrites {

  private record Line(LedgerLine line, Instant at, int tenant) {}

  private static final Bulk<Wallet> UPDATE_WALLETS =
      new Bulk<Wallet>(
              "changed_wallet",
              """
              update wallet w
              set balance = u.balance,
                  active = u.active,
                  day = u.day,
                  today = u.today
              from unnest(?::changed_wallet[]) as u
              where w.id between u.id and u.id
              """)
          .column("int8", Wallet::id)
          .column("int8", Wallet::balance)
          .column("int4", w -> w.usage().active())
          .column("int8", w -> w.usage().day())
          .column("int4", w -> w.usage().today());

  private static final Bulk<Line> INSERT_LEDGER =
      new Bulk<Line>(
              "new_line",
              """
              insert into ledger (
                  tenant_id, wallet_id, type, amount, captured, balance_after, job_id,
                  funding_seq, key, note, at)
              select l.tenant_id, l.wallet_id, l.type, l.amount, l.captured, l.balance_after,
                  l.job_id, l.funding_seq, l.key, l.note, l.at
              from unnest(?::new_line[]) with ordinality
                  as l (wallet_id, type, amount, captured, balance_after, job_id, funding_seq,
                        key, note, at, tenant_id, n)
              order by l.n
              """)
          .column("int8", l -> l.line.walletId())
          .column("ledger_type", l -> l.line.type().label())
          .column("int8", l -> l.line.amount())
          .column("int8", l -> l.line.captured())
          .column("int8", l -> l.line.balanceAfter())
          .column("uuid", l -> l.line.job())
          .column("int4", l -> l.line.fundingSeq())
          .column("text", l -> l.line.key())
          .column("text", l -> l.line.note())
          .column("timestamptz", Line::at)
          .column("int4", Line::tenant);

  private MoneyWrites() {}

  /** No line without its wallet: every line says what became of a balance or of its holds. */
  static void write(Pipeline pipeline, Changes changes) {
    Map<Long, Integer> tenants = new HashMap<>();
    changes.wallets().forEach(wallet -> tenants.put(wallet.id(), wallet.owner().tenant()));
    pipeline.write(UPDATE_WALLETS, changes.wallets());
    pipeline.write(
        INSERT_LEDGER,
        changes.ledger().stream()
            .map(line -> new Line(line, changes.at(), tenant(tenants, line)))
            .toList());
  }

  private static int tenant(Map<Long, Integer> tenants, LedgerLine line) {
    Integer tenant = tenants.get(line.walletId());
    if (tenant == null) {
      throw new IllegalStateException("a line without its wallet: " + line);
    }
    return tenant;
  }
}
