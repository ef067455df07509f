package dev.millrace.postgres.store;

import dev.millrace.engine.port.Changes;
import dev.millrace.engine.port.Transaction.BatchUse;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;

/** Batches of jobs and their idempotency keys. */
final class BatchSql {

  private record Dated(Changes.NewBatch batch, Instant at) {}

  /** Only the index of keys has this order. */
  private static final String FIND =
      """
      select id, fingerprint
      from batch
      where wallet_id = ?
        and idempotency_key between ? and ?
      order by idempotency_key
      limit 1
      """;

  private static final Bulk<Dated> INSERT =
      new Bulk<Dated>(
              "new_batch",
              """
              insert into batch (
                  tenant_id, id, wallet_id, idempotency_key, fingerprint, atomic, size, created_at,
                  workspace)
              select b.tenant_id, b.id, b.wallet_id, b.idempotency_key, b.fingerprint, b.atomic,
                  b.size, b.created_at, b.workspace
              from unnest(?::new_batch[]) as b
              """)
          .column("int4", b -> b.batch.tenant())
          .column("uuid", b -> b.batch.id())
          .column("int8", b -> b.batch.walletId())
          .column("text", b -> b.batch.key())
          .column("text", b -> b.batch.fingerprint())
          .column("bool", b -> b.batch.atomic())
          .column("int4", b -> b.batch.size())
          .column("timestamptz", Dated::at)
          .column("text", b -> b.batch.workspace());

  private BatchSql() {}

  static Optional<BatchUse> find(Connection connection, long walletId, String key)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(FIND)) {
      statement.setLong(1, walletId);
      statement.setString(2, key);
      statement.setString(3, key);
      return Rows.read(
              statement, row -> new BatchUse(Rows.uuid(row, "id"), row.getString("fingerprint")))
          .stream()
          .findFirst();
    }
  }

  static void write(Pipeline pipeline, Changes changes) {
    pipeline.write(
        INSERT, changes.batches().stream().map(b -> new Dated(b, changes.at())).toList());
  }
}
