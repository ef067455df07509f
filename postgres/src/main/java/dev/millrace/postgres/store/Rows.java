package dev.millrace.postgres.store;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads result sets. */
final class Rows {

  private Rows() {}

  /** Makes one object of the row the cursor stands on. */
  interface Mapper<R> {
    R map(ResultSet row) throws SQLException;
  }

  static <R> List<R> read(PreparedStatement statement, Mapper<R> mapper) throws SQLException {
    try (ResultSet rows = statement.executeQuery()) {
      List<R> results = new ArrayList<>();
      while (rows.next()) {
        results.add(mapper.map(rows));
      }
      return results;
    }
  }

  static Instant instant(ResultSet row, String column) throws SQLException {
    return Objects.requireNonNull(instantOrNull(row, column), column);
  }

  static @Nullable Instant instantOrNull(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }

  static UUID uuid(ResultSet row, String column) throws SQLException {
    return Objects.requireNonNull(row.getObject(column, UUID.class), column);
  }
}
