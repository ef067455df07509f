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

  private record Column<T>(String type, Function<T, @Nullable Object> value) {}

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

  int update(Connection connection, Collection<T> rows) throws SQLException {
    if (rows.isEmpty()) {
      return 0;
    }
    try (PreparedStatement statement = bound(connection, rows)) {
      return statement.executeUpdate();
    }
  }

  <R> List<R> query(Connection connection, Collection<T> rows, Rows.Mapper<R> mapper)
      throws SQLException {
    if (rows.isEmpty()) {
      return List.of();
    }
    try (PreparedStatement statement = bound(connection, rows)) {
      return Rows.read(statement, mapper);
    }
  }

  /**
   * The same with more arrays of numbers, which do not belong to the rows.
   *
   * @param sets for the last {@code ?} of the statement
   */
  <R> List<R> query(
      Connection connection,
      Collection<T> rows,
      List<? extends Collection<Integer>> sets,
      Rows.Mapper<R> mapper)
      throws SQLException {
    if (rows.isEmpty()) {
      return List.of();
    }
    try (PreparedStatement statement = bound(connection, rows)) {
      int parameter = columns.size() + 1;
      for (Collection<Integer> set : sets) {
        statement.setArray(parameter++, connection.createArrayOf("int4", set.toArray()));
      }
      return Rows.read(statement, mapper);
    }
  }

  private PreparedStatement bound(Connection connection, Collection<T> rows) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    int parameter = 1;
    for (Column<T> column : columns) {
      @Nullable Object[] values = rows.stream().map(column.value()).toArray();
      Array array = connection.createArrayOf(column.type(), values);
      statement.setArray(parameter++, array);
    }
    return statement;
  }
}
