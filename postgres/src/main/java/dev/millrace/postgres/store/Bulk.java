package dev.millrace.postgres.store;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One statement over many rows: each column travels as one array, which the statement unnests.
 * Because the text is always the same, the driver prepares it once per connection.
 */
final class Bulk<T> {

  private record Column<T>(String type, Function<T, @Nullable Object> value) {

    Array array(Connection connection, Collection<T> rows) throws SQLException {
      return switch (type) {
        case "uuid" -> BinaryArray.ofUuids(connection, rows, value);
        case "timestamptz" -> BinaryArray.ofTimes(connection, rows, value);
        default -> connection.createArrayOf(type, values(rows));
      };
    }

    /** In an array of its own class, because the driver sends those in binary. */
    private @Nullable Object[] values(Collection<T> rows) {
      @Nullable Object[] values =
          switch (type) {
            case "int4" -> new Integer[rows.size()];
            case "int8" -> new Long[rows.size()];
            case "bool" -> new Boolean[rows.size()];
            case "text" -> new String[rows.size()];
            default -> throw new IllegalArgumentException("no array of " + type);
          };
      int i = 0;
      for (T row : rows) {
        values[i++] = value.apply(row);
      }
      return values;
    }
  }

  private final String sql;
  private final List<Column<T>> columns = new ArrayList<>();

  Bulk(String sql) {
    this.sql = sql;
  }

  String sql() {
    return sql;
  }

  /** Adds the array for the next {@code ?} of the statement. */
  Bulk<T> column(String type, Function<T, @Nullable Object> value) {
    columns.add(new Column<>(type, value));
    return this;
  }

  <R> List<R> query(Connection connection, Collection<T> rows, Rows.Mapper<R> mapper)
      throws SQLException {
    if (rows.isEmpty()) {
      return List.of();
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(connection, statement, 1, rows);
      return Rows.read(statement, mapper);
    }
  }

  /** Sets the arrays from this parameter on; returns the parameter after the last. */
  int bind(Connection connection, PreparedStatement statement, int from, Collection<T> rows)
      throws SQLException {
    int parameter = from;
    for (Column<T> column : columns) {
      statement.setArray(parameter++, column.array(connection, rows));
    }
    return parameter;
  }
}
